package dev.jdyno.gclog.sums;

/// How durations spread, in ms. Quantiles interpolate linearly between order statistics; beyond 262
/// 144 values they come from a histogram and err by at most 0.1 %.
///
/// @param maxLine the line of the longest; 0 when there is none
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
