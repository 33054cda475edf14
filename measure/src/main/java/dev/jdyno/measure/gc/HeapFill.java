package dev.jdyno.measure.gc;

/// The occupancy of a JVM's heap when it was last observed.
///
/// @param part the observed part
/// @param usedBytes bytes in use in that part after the last collection
/// @param mostBytes maximum size of the part
/// @param full number of collections of the whole heap
/// @param cycles number of cycles of a concurrent collector
/// @param freedNothing whether the last full collection is known to have freed almost nothing
public record HeapFill(
        Part part, long usedBytes, long mostBytes, long full, long cycles, boolean freedNothing) {
    /// Minimum occupancy of a full part, as a share of its maximum. JVMs give up at 98 % or shortly
    /// before.
    private static final double FULL_FROM = 0.9;

    /// Minimum occupancy of a full heap in which no more memory can be freed. Part of the heap may
    /// be an empty young generation that cannot hold retained objects.
    private static final double STUCK_FROM = 0.75;

    /// The observed part of the heap.
    public enum Part {
        HEAP("heap"),
        OLD_GENERATION("old generation");

        private final String says;

        Part(String says) {
            this.says = says;
        }

        public String says() {
            return says;
        }
    }

    /// True if the part was full although the collector had worked on it.
    public boolean isFull() {
        double share = mostBytes > 0 ? (double) usedBytes / mostBytes : 0;
        return full + cycles > 0 && (share >= FULL_FROM || (freedNothing && share >= STUCK_FROM));
    }
}
