package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.DecayingAverage;
import dev.jdyno.heapmodel.simulation.RecentValues;

/// ZGC's measurement of the allocation rate (`ZStatMutatorAllocRate` in `zStat.cpp`, JDK 21–25). A
/// sample is taken whenever a 128th of the heap has been allocated. The rate is that over the last
/// 100 samples; mean, deviation and trend are those of the last 100 such rates.
final class ZgcAllocationRate {
    private static final int SAMPLES = 100;
    private static final int SAMPLES_PER_HEAP = 128;

    /// `ZGranuleSize`, the size of a small page.
    static final double GRANULE = 2.0 * 1024 * 1024;

    /// Minimum relative deviation of the rates. A program whose threads never wait for memory has 1
    /// to 4 % (`-Xlog:gc+alloc=debug` of six programs on JDK 25). Replayed rates have no deviation
    /// or, because of stalls, a larger one.
    private static final double STEADY_DEVIATION = 0.03;

    private final double sampleBytes;
    private final RecentValues seconds = new RecentValues(SAMPLES);
    private final RecentValues bytes = new RecentValues(SAMPLES);
    private final RecentValues rates = new RecentValues(SAMPLES);
    private double since;
    private double lastS;

    ZgcAllocationRate(double heapBytes) {
        sampleBytes = GRANULE * Math.ceil(heapBytes / SAMPLES_PER_HEAP / GRANULE);
    }

    double sampleBytes() {
        return sampleBytes;
    }

    /// Number of bytes until the next sample.
    double left() {
        return sampleBytes - since;
    }

    /// @param allocated allocated bytes, at most those until the next sample
    void allocated(double allocated, double nowS) {
        since += allocated;
        // sums of bytes have a rounding error
        if (since < sampleBytes - 1) {
            return;
        }
        if (nowS > lastS) {
            seconds.add(nowS - lastS);
            bytes.add(since);
            rates.add(bytes.sum() / seconds.sum());
            lastS = nowS;
        }
        since = 0;
    }

    boolean isKnown() {
        return !rates.isEmpty();
    }

    /// Time for which the free bytes last at the highest expected rate
    /// (`rule_minor_allocation_rate_dynamic`): twice the mean or the trend
    /// (`ZAllocationSpikeTolerance`), plus the deviation that one rate in 1000 exceeds.
    double lastsS(double freeBytes) {
        double mean = rates.mean();
        double deviation = Math.max(rates.deviation(), STEADY_DEVIATION * mean);
        double next = Math.max(rates.predicted(), mean * (1 + STEADY_DEVIATION));
        double highest = 2 * next + DecayingAverage.ONE_IN_1000 * deviation;
        return freeBytes / highest / (1 + deviation / mean);
    }
}
