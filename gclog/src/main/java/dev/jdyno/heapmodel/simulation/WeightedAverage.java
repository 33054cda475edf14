package dev.jdyno.heapmodel.simulation;

/// HotSpot's smoothed average with a padding in deviations (`gcUtil.cpp`). The first samples have
/// the weights 1, 1/2, 1/3, … until the fixed weight is larger.
final class WeightedAverage {
    private static final int SAMPLES_UNTIL_OLD = 100;

    private final int weightPercent;
    private final int padding;
    private final boolean zeroHasNoDeviation;
    private int count;
    private double average;
    private double deviation;

    private WeightedAverage(int weightPercent, int padding, boolean zeroHasNoDeviation) {
        this.weightPercent = weightPercent;
        this.padding = padding;
        this.zeroHasNoDeviation = zeroHasNoDeviation;
    }

    /// An average as `AdaptiveWeightedAverage` or `AdaptivePaddedAverage` computes it.
    static WeightedAverage of(int weightPercent, int padding) {
        return new WeightedAverage(weightPercent, padding, false);
    }

    /// An average as `AdaptivePaddedNoZeroDevAverage` computes it: a sample of zero does not change
    /// the deviation.
    static WeightedAverage ofPromotion() {
        return new WeightedAverage(10, 3, true);
    }

    void sample(double value) {
        count++;
        int weight =
                count > SAMPLES_UNTIL_OLD
                        ? weightPercent
                        : Math.max(weightPercent, SAMPLES_UNTIL_OLD / count);
        average = mix(average, value, weight);
        if (value != 0 || !zeroHasNoDeviation) {
            deviation = mix(deviation, Math.abs(value - average), weight);
        }
    }

    int count() {
        return count;
    }

    double average() {
        return average;
    }

    double padded() {
        return average + padding * deviation;
    }

    private static double mix(double old, double fresh, int weight) {
        return ((100 - weight) * old + weight * fresh) / 100;
    }
}
