package dev.jdyno.measure.statistics;

import org.HdrHistogram.Histogram;

/// The response times of one window, in ms, measured from the intended send to the last byte.
/// Percentiles come from an HdrHistogram of 3 significant digits (relative error at most 0.1 %). If
/// the user's own program sends the load, the values are those that it prints. A value that it does
/// not print is NaN, so that every comparison with it is false.
public record Latency(double mean, double p50, double p90, double p99, double p999, double max) {
    public static final Latency NONE = new Latency(0, 0, 0, 0, 0, 0);

    /// The latency of both windows combined. Means and percentiles are weighted by requests. The
    /// true percentile lies between those of the two windows, so the error is at most their
    /// difference.
    public static Latency between(Latency a, long requestsOfA, Latency b, long requestsOfB) {
        if (requestsOfA + requestsOfB <= 0) {
            return NONE;
        }
        double share = (double) requestsOfB / (requestsOfA + requestsOfB);
        return new Latency(
                between(a.mean, b.mean, share),
                between(a.p50, b.p50, share),
                between(a.p90, b.p90, share),
                between(a.p99, b.p99, share),
                between(a.p999, b.p999, share),
                Math.max(a.max, b.max));
    }

    /// The same latency with this mean, in ms.
    public Latency withMean(double ms) {
        return new Latency(ms, p50, p90, p99, p999, max);
    }

    private static double between(double a, double b, double share) {
        return share == 0 ? a : share == 1 ? b : a + share * (b - a);
    }

    /// @param nanos a histogram whose values are nanoseconds
    public static Latency of(Histogram nanos) {
        if (nanos.getTotalCount() == 0) {
            return NONE;
        }
        return new Latency(
                nanos.getMean() / 1e6,
                nanos.getValueAtPercentile(50) / 1e6,
                nanos.getValueAtPercentile(90) / 1e6,
                nanos.getValueAtPercentile(99) / 1e6,
                nanos.getValueAtPercentile(99.9) / 1e6,
                nanos.getMaxValue() / 1e6);
    }
}
