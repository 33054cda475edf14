package dev.jdyno.series;

import dev.jdyno.measure.statistics.Quantiles;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/// Finds two levels between which a series goes to and fro, as figures of two machines do.
final class Machines {
    /// Deviations within the levels by which they lie apart at least: the halves of one normal
    /// distribution lie 2.7 apart.
    private static final double APART = 6;

    /// Share of the level that its values may deviate by at least, however little they do.
    private static final double FLOOR = 0.003;

    /// Share of the values that the rarer level has at least: fewer stand out, and are no level.
    private static final double RAREST = 0.1;

    private static final int LEAST_VALUES = 3;

    /// Deviations from which a change on both is seen: how far the levels lie apart is an estimate,
    /// too.
    private static final double VISIBLE = 2;

    /// Four times away and back. Fewer are news, or single values that stand out.
    private static final int LEAST_SWITCHES = 8;

    /// Probability of a stay from which on it is one of the stays that come and go.
    private static final double LEAST_CHANCE = 0.001;

    /// Median absolute deviation of a normal distribution, times this, is its standard deviation.
    private static final double NORMAL = 1.4826;

    private Machines() {}

    /// @param leastEffect as a share; levels that lie closer are one
    static Optional<Fit.Found> of(double[] values, double leastEffect) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int below = below(sorted);
        int rarer = Math.min(below, sorted.length - below);
        if (rarer < Math.max(LEAST_VALUES, RAREST * sorted.length)) {
            return Optional.empty();
        }
        double low = Arrays.stream(sorted, 0, below).average().orElseThrow();
        double high = Arrays.stream(sorted, below, sorted.length).average().orElseThrow();
        double deviation =
                Math.max(
                        Math.sqrt(
                                (off(sorted, 0, below) + off(sorted, below, sorted.length))
                                        / (sorted.length - 2)),
                        FLOOR * Math.max(Math.abs(low), Math.abs(high)));
        boolean[] isHigh = new boolean[values.length];
        for (int i = 0; i < values.length; i++) {
            isHigh[i] = values[i] >= sorted[below];
        }
        int switches = switches(isHigh);
        if (high - low < APART * deviation
                || high - low <= leastEffect * Math.abs(low)
                || switches < LEAST_SWITCHES) {
            return Optional.empty();
        }
        var what = new Repeating.TwoLevels(low, high, sorted.length - below, switches);
        double[] rest = rest(values, isHigh, what);
        return Optional.of(
                new Fit.Found(
                        what,
                        rest,
                        VISIBLE * step(rest) / Math.max(Math.abs(low), Math.abs(high))));
    }

    /// How many of the sorted values belong to the lower level: the split that leaves least
    /// deviation.
    private static int below(double[] sorted) {
        double total = Arrays.stream(sorted).sum();
        double sum = 0;
        double most = -1;
        int at = 0;
        for (int i = 1; i < sorted.length; i++) {
            sum += sorted[i - 1];
            double by = sum / i - (total - sum) / (sorted.length - i);
            double between = by * by * i * (sorted.length - i);
            if (sorted[i] > sorted[i - 1] && between > most) {
                most = between;
                at = i;
            }
        }
        return at;
    }

    /// Deviation of a value from the next: a change of level is one step among many.
    private static double step(double[] values) {
        double[] steps =
                IntStream.range(1, values.length)
                        .mapToDouble(i -> Math.abs(values[i] - values[i - 1]))
                        .sorted()
                        .toArray();
        return NORMAL * Quantiles.median(steps) / Math.sqrt(2);
    }

    private static double off(double[] values, int from, int to) {
        double mean = Arrays.stream(values, from, to).average().orElseThrow();
        return Arrays.stream(values, from, to).map(v -> (v - mean) * (v - mean)).sum();
    }

    private static int switches(boolean[] isHigh) {
        return (int)
                IntStream.range(1, isHigh.length).filter(i -> isHigh[i] != isHigh[i - 1]).count();
    }

    /// All values as if they were of the more frequent level. A last stay that is too long for one
    /// that comes and goes may go on: what was before it is then as if it were of the other level.
    private static double[] rest(double[] values, boolean[] isHigh, Repeating.TwoLevels levels) {
        int end = lastOrdinary(isHigh);
        boolean toHigh =
                end < isHigh.length
                        ? !isHigh[isHigh.length - 1]
                        : levels.atHigh() * 2 > values.length;
        double from = toHigh ? levels.low() : levels.high();
        double to = toHigh ? levels.high() : levels.low();
        double[] rest = values.clone();
        for (int i = 0; i < end; i++) {
            if (isHigh[i] != toHigh) {
                rest[i] = levels.low() > 0 ? values[i] * to / from : values[i] + to - from;
            }
        }
        return rest;
    }

    /// Where a last stay of unusual length begins; the end if it is as long as others.
    private static int lastOrdinary(boolean[] isHigh) {
        boolean last = isHigh[isHigh.length - 1];
        int begins = isHigh.length;
        while (begins > 0 && isHigh[begins - 1] == last) {
            begins--;
        }
        int end = begins;
        int there = (int) IntStream.range(0, end).filter(i -> isHigh[i] == last).count();
        int left =
                (int)
                        IntStream.range(0, end)
                                .filter(i -> isHigh[i] == last)
                                .filter(i -> i + 1 < isHigh.length && isHigh[i + 1] != last)
                                .count();
        // few stays say little of how long one may be
        double stays = (there - left + 1.0) / (there + 2.0);
        return Math.pow(stays, isHigh.length - end - 1.0) < LEAST_CHANCE ? end : isHigh.length;
    }
}
