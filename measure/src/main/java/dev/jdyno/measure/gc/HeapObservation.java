package dev.jdyno.measure.gc;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Observation of one run's heap. It is sufficient to forecast the same run on a heap of another
/// size.
///
/// @param kind how the collector works
/// @param jdk feature release of the JVM; empty when the log does not contain it
/// @param heapBytes the heap's largest size
/// @param youngBytes size of the young generation if it is fixed; else empty
/// @param liveBytes live bytes after the old generation was collected; 0 when unknown
/// @param liveIsBound whether no old collection ran, so that fewer bytes may be live
/// @param oldBytes mean occupancy of the old part after a collection, garbage included
/// @param spanS length of the run in seconds
/// @param allocatedBytes bytes allocated in the run
/// @param promotedBytes bytes promoted in the run; 0 if there are no generations
/// @param youngGcs young and mixed collections; 0 for collectors that work in cycles
/// @param fullGcs collections with everything stopped
/// @param cycles concurrent collections
/// @param youngPauseMs total time of young pauses, in ms
/// @param fullPauseMs total time of full pauses, in ms
/// @param cyclePauseMs total time of the short stops in cycles, in ms
/// @param copying live bytes found by young collections; empty when the log does not contain them
/// @param zgcYoung young collections of generational ZGC in order; empty when the log does not
///   contain them
/// @param shenandoahCycles completed cycles of Shenandoah in order; empty when the log does not
///   contain them
public record HeapObservation(
        Kind kind,
        OptionalInt jdk,
        double heapBytes,
        Optional<Double> youngBytes,
        double liveBytes,
        boolean liveIsBound,
        double oldBytes,
        double spanS,
        double allocatedBytes,
        double promotedBytes,
        long youngGcs,
        long fullGcs,
        long cycles,
        double youngPauseMs,
        double fullPauseMs,
        double cyclePauseMs,
        Optional<Copying> copying,
        List<ZgcYoung> zgcYoung,
        List<ShenandoahCycle> shenandoahCycles) {
    /// How a collector divides its heap.
    public enum Kind {
        SERIAL,
        PARALLEL,
        /// A young generation of fixed size, and an old generation that is collected concurrently
        /// (CMS).
        SWEPT,
        /// Young and old regions. The young generation uses the room that is available (G1).
        REGIONS,
        /// Concurrent cycles, with and without generations.
        ZGC,
        SHENANDOAH;

        /// True if the young generation is a fixed share of the heap.
        public boolean isFixed() {
            return this == SERIAL || this == PARALLEL || this == SWEPT;
        }

        /// True if the collector works concurrently.
        public boolean isPauseless() {
            return this == ZGC || this == SHENANDOAH;
        }
    }

    /// Results of young collections. Medians are used so that the start, which builds the live set,
    /// has no effect on them.
    ///
    /// @param edenBytes bytes allocated in Eden since the last young collection
    /// @param survivedBytes bytes in the survivor spaces after the collection
    /// @param promotedBytes moved into old
    /// @param copiedTotalBytes bytes copied by all young collections together, including those
    ///   during the start
    /// @param pauseMs mean pause in the run's later half
    /// @param collections single collections in order, evenly spread over the run, without mixed
    ///   ones
    public record Copying(
            double edenBytes,
            double survivedBytes,
            double promotedBytes,
            double copiedTotalBytes,
            double pauseMs,
            List<YoungCopy> collections) {
        public Copying {
            collections = List.copyOf(collections);
        }

        public double copiedBytes() {
            return survivedBytes + promotedBytes;
        }
    }

    public HeapObservation {
        zgcYoung = List.copyOf(zgcYoung);
        shenandoahCycles = List.copyOf(shenandoahCycles);
        if (!(heapBytes > 0) || !(spanS > 0)) {
            throw new IllegalArgumentException(
                    "an observation has a heap and takes time: " + heapBytes + ", " + spanS);
        }
    }

    /// Number of collections of all kinds.
    public long gcs() {
        return youngGcs + fullGcs + cycles;
    }

    public double pauseMs() {
        return youngPauseMs + fullPauseMs + cyclePauseMs;
    }

    /// Seconds of the run in which the collector did not stop the application.
    public double runningS() {
        return Math.max(0, spanS - pauseMs() / 1000);
    }
}
