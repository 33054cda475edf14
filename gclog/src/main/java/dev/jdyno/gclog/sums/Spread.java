package dev.jdyno.gclog.sums;

import dev.jdyno.measure.statistics.Quantiles;
import java.util.Arrays;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Collects durations in bounded memory. Up to {@link #EXACT} values are kept, with exact quantiles
/// (linear interpolation between order statistics). Above that, they move into an HdrHistogram with
/// 3 significant digits, whose quantiles have an error of at most 0.1 %.
final class Spread {
    /// Maximum number of values kept one by one, which take 2 MiB. A collector with two stops per
    /// second reaches it in 36 hours.
    static final int EXACT = 1 << 18;

    /// Histogram unit of 1 µs, the best resolution of pauses in logs (safepoints have ns).
    private static final double UNITS_PER_MS = 1000;

    private double[] values = new double[64];
    private int size;
    private @Nullable Histogram histogram;
    private long count;
    private double total;
    private double max;
    private long maxLine;
    private double min = Double.POSITIVE_INFINITY;

    void add(double ms, long line) {
        count++;
        total += ms;
        min = Math.min(min, ms);
        if (count == 1 || ms > max) {
            max = ms;
            maxLine = line;
        }
        Histogram h = histogram;
        if (h != null) {
            h.recordValue(units(ms));
            return;
        }
        if (size == values.length) {
            if (size == EXACT) {
                spill().recordValue(units(ms));
                return;
            }
            values = Arrays.copyOf(values, Math.min(EXACT, size * 2));
        }
        values[size++] = ms;
    }

    private Histogram spill() {
        Histogram h = new Histogram(3);
        h.setAutoResize(true);
        for (int i = 0; i < size; i++) {
            h.recordValue(units(values[i]));
        }
        values = new double[0];
        size = 0;
        histogram = h;
        return h;
    }

    private static long units(double ms) {
        return Math.max(0, Math.round(ms * UNITS_PER_MS));
    }

    long count() {
        return count;
    }

    double total() {
        return total;
    }

    /// Share of the values above `ms`, from 0 to 1.
    double shareAbove(double ms) {
        if (count == 0) {
            return 0;
        }
        Histogram h = histogram;
        if (h != null) {
            return 1 - h.getPercentileAtOrBelowValue(units(ms)) / 100;
        }
        long above = 0;
        for (int i = 0; i < size; i++) {
            if (values[i] > ms) {
                above++;
            }
        }
        return (double) above / count;
    }

    Distribution finish() {
        if (count == 0) {
            return Distribution.NONE;
        }
        Histogram h = histogram;
        if (h != null) {
            return new Distribution(
                    count,
                    total,
                    min,
                    quantile(h, 50),
                    quantile(h, 90),
                    quantile(h, 95),
                    quantile(h, 99),
                    quantile(h, 99.9),
                    max,
                    maxLine);
        }
        double[] v = Arrays.copyOf(values, size);
        Arrays.sort(v);
        return new Distribution(
                count,
                total,
                min,
                Quantiles.ofSorted(v, 0.5),
                Quantiles.ofSorted(v, 0.9),
                Quantiles.ofSorted(v, 0.95),
                Quantiles.ofSorted(v, 0.99),
                Quantiles.ofSorted(v, 0.999),
                max,
                maxLine);
    }

    private static double quantile(Histogram h, double percent) {
        return h.getValueAtPercentile(percent) / UNITS_PER_MS;
    }
}
