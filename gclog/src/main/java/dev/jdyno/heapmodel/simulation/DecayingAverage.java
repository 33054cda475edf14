package dev.jdyno.heapmodel.simulation;

/// HotSpot's decaying mean and variance (`AbsSeq` in `numberSeq.cpp`).
public final class DecayingAverage {
    /// Weight of the newest value in ZGC (`ZStatCycle` in `zStat.cpp`).
    private static final double ZGC_NEWEST = 0.7;

    /// Weight of the newest value in Shenandoah (`ShenandoahAdaptiveDecayFactor`).
    private static final double SHENANDOAH_NEWEST = 0.5;

    /// Number of deviations above the mean that one value in 1000 exceeds (`one_in_1000` in
    /// `zDirector.cpp`).
    public static final double ONE_IN_1000 = 3.290527;

    private final double newest;
    private boolean begun;
    private double mean;
    private double variance;

    private DecayingAverage(double newest) {
        this.newest = newest;
    }

    public static DecayingAverage ofZgc() {
        return new DecayingAverage(ZGC_NEWEST);
    }

    public static DecayingAverage ofShenandoah() {
        return new DecayingAverage(SHENANDOAH_NEWEST);
    }

    public void add(double value) {
        if (!begun) {
            begun = true;
            mean = value;
            return;
        }
        double off = value - mean;
        mean += newest * off;
        variance = (1 - newest) * (variance + newest * off * off);
    }

    /// The mean; 0 before the first value.
    public double mean() {
        return mean;
    }

    public double deviation() {
        return Math.sqrt(variance);
    }

    /// The value that one in 1000 exceeds.
    public double most() {
        return mean + ONE_IN_1000 * deviation();
    }
}
