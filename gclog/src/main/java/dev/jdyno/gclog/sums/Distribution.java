package dev.jdyno.gclog.sums;

/// The distribution of durations in ms. Quantiles interpolate linearly between order statistics.
/// Above 262 144 values they come from a histogram with an error of at most 0.1 %.
///
/// @param maxLine line of the longest duration; 0 if there is none
public record Distribution(
        long count,
        double total,
        double min,
        double p50,
        double p90,
        double p95,
        double p99,
        double p999,
        double max,
        long maxLine) {
    public static final Distribution NONE = new Distribution(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    public double mean() {
        return count == 0 ? 0 : total / count;
    }
}
