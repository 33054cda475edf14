package dev.jdyno.heapmodel.forecast;

import dev.jdyno.heapmodel.simulation.DecayingAverage;
import dev.jdyno.heapmodel.simulation.RecentValues;

/// Shenandoah's measurement of the allocation rate (`ShenandoahAllocationRate` in
/// `shenandoahAdaptiveHeuristics.cpp`): a sample every tenth of a second since the start of a
/// cycle, but only while it waits for the next one. If cycles follow faster, there is no sample and
/// the rate does not change.
final class ShenandoahAllocationRate {
    /// Interval of samples in seconds (`ShenandoahAdaptiveSampleFrequencyHz`).
    private static final double INTERVAL_S = 0.1;

    /// Number of samples kept: those of `ShenandoahAdaptiveSampleSizeSeconds`.
    private static final int SAMPLES = 100;

    private final RecentValues rates = new RecentValues(SAMPLES);
    private final DecayingAverage mean = DecayingAverage.ofShenandoah();
    private final DecayingAverage means = DecayingAverage.ofShenandoah();
    private double lastS;
    private double lastBytes;

    /// @param bytes bytes allocated since the last cycle began
    /// @return bytes per second since the last sample; 0 if it is too early for a sample
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
