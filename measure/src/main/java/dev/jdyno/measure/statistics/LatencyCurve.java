package dev.jdyno.measure.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// The distribution of the response times of one round. The number of its quantiles grows with the
/// logarithm of the number of requests, and that of its bins with the logarithm of the range.
///
/// @param quantiles in ascending order, from the shortest response time to the longest. Two
///   quantiles are kept each time the number of slower requests halves, as long as at least one
///   remains.
/// @param bins bins that contain requests, in ascending order
public record LatencyCurve(List<Quantile> quantiles, List<Bin> bins) {
    /// Number of quantiles each time the number of slower requests halves.
    private static final int PER_HALVING = 2;

    /// Number of bins for each doubling of the response time, so that a bin is 19 % wide.
    private static final int PER_DOUBLING = 4;

    private static final double NANOS_PER_MS = 1e6;

    /// @param share share of the requests that took at most `ms`, 0…1
    public record Quantile(double share, double ms) {}

    /// Requests that took at least `fromMs` and less than `toMs`.
    public record Bin(double fromMs, double toMs, long count) {}

    public LatencyCurve {
        quantiles = List.copyOf(quantiles);
        bins = List.copyOf(bins);
    }

    /// @param nanos a non-empty histogram whose values are nanoseconds
    public static LatencyCurve of(Histogram nanos) {
        return new LatencyCurve(quantiles(nanos), bins(nanos));
    }

    private static List<Quantile> quantiles(Histogram nanos) {
        List<Quantile> quantiles = new ArrayList<>();
        quantiles.add(new Quantile(0, nanos.getMinValue() / NANOS_PER_MS));
        long all = nanos.getTotalCount();
        double beyond = Math.pow(2, -1.0 / PER_HALVING);
        for (int k = 1; all * Math.pow(beyond, k) >= 1; k++) {
            double share = 1 - Math.pow(beyond, k);
            quantiles.add(
                    new Quantile(share, nanos.getValueAtPercentile(100 * share) / NANOS_PER_MS));
        }
        quantiles.add(new Quantile(1, nanos.getMaxValue() / NANOS_PER_MS));
        return quantiles;
    }

    private static List<Bin> bins(Histogram nanos) {
        Map<Integer, Long> counts = new TreeMap<>();
        for (HistogramIterationValue step : nanos.recordedValues()) {
            double ms = Math.max(1, step.getValueIteratedTo()) / NANOS_PER_MS;
            int bin = (int) Math.floor(PER_DOUBLING * Math.log(ms) / Math.log(2));
            counts.merge(bin, step.getCountAddedInThisIterationStep(), Long::sum);
        }
        return counts.entrySet().stream()
                .map(e -> new Bin(edge(e.getKey()), edge(e.getKey() + 1), e.getValue()))
                .toList();
    }

    private static double edge(int bin) {
        return Math.pow(2, (double) bin / PER_DOUBLING);
    }
}
