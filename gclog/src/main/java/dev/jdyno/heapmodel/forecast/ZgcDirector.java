package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.DecayingAverage;
import java.util.Optional;

/// When generational ZGC begins a collection (`zDirector.cpp`, JDK 21–25), without flags that
/// change it: no SoftMaxHeapSize, no intervals.
final class ZgcDirector {
    enum Reason {
        WARMUP,
        PROACTIVE,
        ALLOCATION_RATE,
        HIGH_USAGE
    }

    /// `rule_major_warmup`: at 10, 20 and 30 % of the heap.
    private static final int WARMUPS = 3;

    private static final double WARMUP_STEP = 0.1;

    /// `is_young_small`: no young collection before the young generation is so much of the heap.
    private static final double YOUNG_SMALL = 0.05;

    /// `is_high_usage`: less is free.
    private static final double LITTLE_FREE = 0.05;

    /// Of the time free memory lasts: how near the end of it a collection may end.
    private static final double CLOSE = 0.05;

    /// `rule_major_proactive`: so much more is in use than after old was collected last,
    private static final double PROACTIVE_GROWTH = 0.1;

    /// and so many times the length of a major collection has gone by: it may cost 1 % of
    /// throughput when the application runs at half its speed meanwhile.
    private static final double PROACTIVE_LENGTHS = 0.5 / 0.01 - 1;

    /// `ZHeuristics::set_medium_page_size`: a 32nd of the heap within these bounds.
    private static final double MEDIUM_SHARE = 0.03125;

    private static final double MEDIUM_MOST = 16 * ZgcAllocationRate.GRANULE;

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

    /// @param oldS how long collecting the old generation takes; 0 when it is not known
    ZgcDirector(double heap, double oldS, ZgcAllocationRate rate) {
        this.heap = heap;
        this.oldS = oldS;
        this.rate = rate;
        headroom = headroom(heap);
    }

    /// `ZHeuristics::relocation_headroom` with one worker: a small page and a medium one, the
    /// medium one's size a power of two.
    static double headroom(double heap) {
        double share = Math.clamp(heap * MEDIUM_SHARE, ZgcAllocationRate.GRANULE, MEDIUM_MOST);
        return ZgcAllocationRate.GRANULE + (double) Long.highestOneBit((long) share);
    }

    /// @param usedYoung of `used`
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

    /// How long a young collection takes at most.
    private double youngS() {
        return serial.most() + parallel.most();
    }

    /// A young collection has ended (`ZStatCycle::at_end`).
    ///
    /// @param workersS of `seconds`: marking and relocation
    void ended(double seconds, double workersS, boolean warmup) {
        young++;
        if (warmup) {
            warmups++;
        }
        parallel.add(Math.min(seconds, workersS));
        serial.add(Math.max(0, seconds - workersS));
    }

    /// The old generation is collected along with the young one.
    void collectsOld(double used, double nowS) {
        oldEndS = nowS + oldS;
        usedAfterOld = used;
    }
}
