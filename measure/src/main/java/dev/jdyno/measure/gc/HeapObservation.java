package dev.jdyno.measure.gc;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Observation of one run's heap: sufficient to forecast the same run on a heap of another size.
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
/// @param youngPauseMs total
/// @param fullPauseMs total
/// @param cyclePauseMs total of the short stops that belong to cycles
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
        /// A young generation of fixed size, and an old one that is collected concurrently: CMS.
        SWEPT,
        /// Young regions as the available room allows: G1.
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

    /// Results of young collections: medians, so that a start that builds the live set does not
    /// count.
    ///
    /// @param edenBytes allocated since the last
    /// @param survivedBytes in survivor spaces afterwards
    /// @param promotedBytes moved into old
    /// @param copiedTotalBytes copied by all of them together, the start included
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

    /// Seconds of the run in which the application ran.
    public double runningS() {
        return Math.max(0, spanS - pauseMs() / 1000);
    }
}
