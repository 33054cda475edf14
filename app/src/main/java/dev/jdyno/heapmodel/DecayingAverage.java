package dev.jdyno.heapmodel;

/// HotSpot's decaying mean and variance (`AbsSeq` in `numberSeq.cpp`) with the weight ZGC gives the
/// newest value (`ZStatCycle` in `zStat.cpp`).
final class DecayingAverage {
    private static final double NEWEST = 0.7;

    /// Deviations beyond which one value in 1000 lies (`one_in_1000` in `zDirector.cpp`).
    static final double ONE_IN_1000 = 3.290527;

    private boolean begun;
    private double mean;
    private double variance;

    void add(double value) {
        if (!begun) {
            begun = true;
            mean = value;
            return;
        }
        double off = value - mean;
        mean += NEWEST * off;
        variance = (1 - NEWEST) * (variance + NEWEST * off * off);
    }

    /// What one value in 1000 exceeds.
    double most() {
        return mean + ONE_IN_1000 * Math.sqrt(variance);
    }
}
