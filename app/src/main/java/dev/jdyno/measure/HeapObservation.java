package dev.jdyno.measure;

/// What one run tells of its heap: enough to forecast the same run on a heap of another size.
///
/// @param kind how the collector works
/// @param heapBytes the heap's largest size
/// @param liveBytes what is alive after the old generation was collected; 0 when nothing tells it
/// @param oldBytes what the old part holds on average after a collection, garbage included
/// @param spanS seconds the run took
/// @param allocatedBytes in these seconds
/// @param promotedBytes in these seconds; 0 where there are no generations
/// @param youngGcs young and mixed collections; 0 for collectors that work in cycles
/// @param fullGcs with everything stopped
/// @param cycles collections beside the application
/// @param youngPauseMs total
/// @param fullPauseMs total
/// @param cyclePauseMs total of the short stops that go with cycles
public record HeapObservation(
        Kind kind,
        double heapBytes,
        double liveBytes,
        double oldBytes,
        double spanS,
        double allocatedBytes,
        double promotedBytes,
        long youngGcs,
        long fullGcs,
        long cycles,
        double youngPauseMs,
        double fullPauseMs,
        double cyclePauseMs) {
    /// How a collector divides its heap.
    public enum Kind {
        /// A young generation that is a fixed share of the heap: Serial, Parallel.
        GENERATIONS,
        /// Young regions as room allows: G1.
        REGIONS,
        /// Work beside the application, in cycles: ZGC, Shenandoah.
        CYCLES
    }

    public HeapObservation {
        if (!(heapBytes > 0) || !(spanS > 0)) {
            throw new IllegalArgumentException(
                    "an observation has a heap and takes time: " + heapBytes + ", " + spanS);
        }
    }

    /// Collections of all kinds.
    public long gcs() {
        return youngGcs + fullGcs + cycles;
    }

    public double pauseMs() {
        return youngPauseMs + fullPauseMs + cyclePauseMs;
    }
}
