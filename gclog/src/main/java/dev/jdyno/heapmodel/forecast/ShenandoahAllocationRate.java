package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.DecayingAverage;
import dev.jdyno.heapmodel.simulation.RecentValues;

/// How Shenandoah measures the allocation rate (`ShenandoahAllocationRate` in
/// `shenandoahAdaptiveHeuristics.cpp`): a sample each tenth of a second from a cycle's begin on,
/// but only while it waits for the next. Where cycles come faster there is none, and the rate stays
/// what it was.
final class ShenandoahAllocationRate {
    /// `ShenandoahAdaptiveSampleFrequencyHz`.
    private static final double INTERVAL_S = 0.1;

    /// `ShenandoahAdaptiveSampleSizeSeconds` of them.
    private static final int SAMPLES = 100;

    private final RecentValues rates = new RecentValues(SAMPLES);
    private final DecayingAverage mean = DecayingAverage.ofShenandoah();
    private final DecayingAverage means = DecayingAverage.ofShenandoah();
    private double lastS;
    private double lastBytes;

    /// @param bytes since the last cycle began
    /// @return bytes a second since the last sample; 0 when it is too early for one
    double sample(double bytes, double nowS) {
        double seconds = nowS - lastS;
        if (seconds <= INTERVAL_S) {
            return 0;
        }
        double rate = (bytes - lastBytes) / seconds;
        rates.add(rate);
        mean.add(rate);
        means.add(rates.mean());
        lastS = nowS;
        lastBytes = bytes;
        return rate;
    }

    void restart(double nowS) {
        lastS = nowS;
        lastBytes = 0;
    }

    double most(double deviations) {
        return mean.mean() + deviations * means.deviation();
    }

    boolean isSpike(double rate, double deviations) {
        if (rate <= 0) {
            return false;
        }
        double deviation = rates.deviation();
        return deviation > 0 && (rate - rates.mean()) / deviation > deviations;
    }
}
