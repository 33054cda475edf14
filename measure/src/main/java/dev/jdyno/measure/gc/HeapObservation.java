package dev.jdyno.measure.gc;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// What one run tells of its heap: enough to forecast the same run on a heap of another size.
///
/// @param kind how the collector works
/// @param jdk feature release of the JVM; empty when the log does not tell
/// @param heapBytes the heap's largest size
/// @param youngBytes size of the young generation where it is fixed; else empty
/// @param liveBytes what is alive after the old generation was collected; 0 when nothing tells it
/// @param liveIsBound whether no old collection ran, so that less may be alive
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
/// @param copying what young collections found alive; empty when the log does not tell
/// @param zgcYoung young collections of generational ZGC in order; empty when the log does not tell
/// @param shenandoahCycles cycles of Shenandoah in order that ran to their end; empty when the log
///   does not tell
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
        /// A fixed young generation before an old one that is collected beside the application:
        /// CMS.
        SWEPT,
        /// Young regions as room allows: G1.
        REGIONS,
        /// Cycles beside the application, with and without generations.
        ZGC,
        SHENANDOAH;

        /// A young generation that is a fixed share of the heap.
        public boolean isFixed() {
            return this == SERIAL || this == PARALLEL || this == SWEPT;
        }

        /// Work beside the application.
        public boolean isPauseless() {
            return this == ZGC || this == SHENANDOAH;
        }
    }

    /// What a young collection found: medians, so that a start that builds the live set does not
    /// count.
    ///
    /// @param edenBytes allocated since the last
    /// @param survivedBytes in survivor spaces afterwards
    /// @param promotedBytes moved into old
    /// @param copiedTotalBytes by all of them together, the start included
    /// @param pauseMs how long it took, in the mean of the run's later half
    /// @param collections single ones in order, evenly spread over the run, mixed ones left out
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

    /// Collections of all kinds.
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
