package dev.jdyno.measure.gc;

/// How full a JVM's heap was when it was last seen.
///
/// @param part that this is of
/// @param usedBytes after the last collection
/// @param mostBytes what the part may grow to
/// @param full collections of the whole heap that were seen
/// @param cycles of a concurrent collector that were seen
/// @param freedNothing whether the last full collection is known to have given back hardly anything
public record HeapFill(
        Part part, long usedBytes, long mostBytes, long full, long cycles, boolean freedNothing) {
    /// Of what it may have: JVMs give up at 98 % and a little before.
    private static final double FULL_FROM = 0.9;

    /// Of the whole heap, where nothing more can be freed: a young generation that is kept free
    /// holds nothing of what stays.
    private static final double STUCK_FROM = 0.75;

    /// What it is of.
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

    /// Whether it was full though the collector had worked on it.
    public boolean isFull() {
        double share = mostBytes > 0 ? (double) usedBytes / mostBytes : 0;
        return full + cycles > 0 && (share >= FULL_FROM || (freedNothing && share >= STUCK_FROM));
    }
}
