package dev.jdyno.measure.statistics;

import org.HdrHistogram.Histogram;

/// The response times of one window, in ms, measured from the intended send to the last byte.
/// Percentiles come from an HdrHistogram of 3 significant digits (relative error at most 0.1 %).
public record Latency(double mean, double p50, double p90, double p99, double p999, double max) {
    public static final Latency NONE = new Latency(0, 0, 0, 0, 0, 0);

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
