package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.DecayingAverage;
import java.util.Optional;

/// Generational ZGC's decision to begin a collection (`zDirector.cpp`, JDK 21–25), without flags
/// that change it: no SoftMaxHeapSize, no intervals.
final class ZgcDirector {
    enum Reason {
        WARMUP,
        PROACTIVE,
        ALLOCATION_RATE,
        HIGH_USAGE
    }

    /// `rule_major_warmup`: the first collections, at 10, 20 and 30 % of the heap.
    private static final int WARMUPS = 3;

    private static final double WARMUP_STEP = 0.1;

    /// `is_young_small`: minimum share of the heap in young for a young collection.
    private static final double YOUNG_SMALL = 0.05;

    /// `is_high_usage`: free share of the heap at which a collection begins.
    private static final double LITTLE_FREE = 0.05;

    /// Minimum time to spare at the end of a collection, as a share of the time for which free
    /// memory lasts. A collection begins before the spare time would be shorter.
    private static final double CLOSE = 0.05;

    /// `rule_major_proactive`: minimum growth of the used memory since the last old collection, as
    /// a share of the heap.
    private static final double PROACTIVE_GROWTH = 0.1;

    /// Minimum time since the last old collection, in lengths of a major collection. A major
    /// collection may cost 1 % of throughput if the application runs at half its speed meanwhile.
    private static final double PROACTIVE_LENGTHS = 0.5 / 0.01 - 1;

    /// `ZHeuristics::set_medium_page_size`: a 32nd of the heap, within limits.
    private static final double MEDIUM_SHARE = 0.03125;

    private static final double MAX_MEDIUM = 16 * ZgcAllocationRate.GRANULE;

    private final double heap;
    private final double headroom;
    private final double oldS;
    private final ZgcAllocationRate rate;
    private final DecayingAverage serial = DecayingAverage.ofZgc();
    private final DecayingAverage parallel = DecayingAverage.ofZgc();
    private int young;
    private int warmups;
    private double oldEndS;
    private double usedAfterOld;

    /// @param oldS time to collect the old generation in seconds; 0 if it is unknown
    ZgcDirector(double heap, double oldS, ZgcAllocationRate rate) {
        this.heap = heap;
        this.oldS = oldS;
        this.rate = rate;
        headroom = headroom(heap);
    }

    /// `ZHeuristics::relocation_headroom` with one worker: a small page and a medium page, whose
    /// size is a power of two.
    static double headroom(double heap) {
        double share = Math.clamp(heap * MEDIUM_SHARE, ZgcAllocationRate.GRANULE, MAX_MEDIUM);
        return ZgcAllocationRate.GRANULE + (double) Long.highestOneBit((long) share);
    }

    /// @param usedYoung the part of `used` in the young generation
    Optional<Reason> decides(double used, double usedYoung, double nowS) {
        if (warmups < WARMUPS) {
            if (used >= heap * WARMUP_STEP * (warmups + 1)) {
                return Optional.of(Reason.WARMUP);
            }
        } else if (oldS > 0
                && used >= usedAfterOld + PROACTIVE_GROWTH * heap
                && nowS - oldEndS >= PROACTIVE_LENGTHS * (oldS + youngS())) {
            return Optional.of(Reason.PROACTIVE);
        }
        if (young == 0 || usedYoung <= YOUNG_SMALL * heap) {
            return Optional.empty();
        }
        double free = Math.max(0, heap - used - headroom);
        if (rate.isKnown()) {
            double lastsS = rate.lastsS(free);
            if (lastsS - youngS() <= CLOSE * lastsS) {
                return Optional.of(Reason.ALLOCATION_RATE);
            }
        }
        return free <= LITTLE_FREE * heap ? Optional.of(Reason.HIGH_USAGE) : Optional.empty();
    }

    /// Maximum expected length of a young collection in seconds.
    private double youngS() {
        return serial.most() + parallel.most();
    }

    /// Called when a young collection has ended (`ZStatCycle::at_end`).
    ///
    /// @param workersS part of `seconds` for marking and relocation
    void ended(double seconds, double workersS, boolean warmup) {
        young++;
        if (warmup) {
            warmups++;
        }
        parallel.add(Math.min(seconds, workersS));
        serial.add(Math.max(0, seconds - workersS));
    }

    /// Called when the old generation is collected along with the young one.
    void collectsOld(double used, double nowS) {
        oldEndS = nowS + oldS;
        usedAfterOld = used;
    }
}
