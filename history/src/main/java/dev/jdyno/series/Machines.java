package dev.jdyno.series;

import dev.jdyno.measure.statistics.Quantiles;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/// Detects a series that switches between two levels, such as figures of two machines.
final class Machines {
    /// Minimum distance between the two levels, in deviations within a level. For comparison, the
    /// two halves of one normal distribution are 2.7 apart.
    private static final double APART = 6;

    /// Minimum deviation within the levels, as a share of the larger level.
    private static final double FLOOR = 0.003;

    /// Minimum share of values at the rarer level: fewer values are outliers, not a level.
    private static final double RAREST = 0.1;

    private static final int MIN_VALUES = 3;

    /// Minimum change that can be detected after the switches are removed, in deviations between
    /// consecutive values. It is above 1, because the distance between the levels is an estimate,
    /// too.
    private static final double VISIBLE = 2;

    /// Minimum number of switches: four times away and back. Fewer may be changes of level or
    /// outliers.
    private static final int MIN_SWITCHES = 8;

    /// Minimum probability of the length of the last stay at a level. A less probable stay may be a
    /// lasting change.
    private static final double MIN_CHANCE = 0.001;

    /// Ratio of a normal distribution's standard deviation to its median absolute deviation.
    private static final double NORMAL = 1.4826;

    private Machines() {}

    /// @param leastEffect smallest relevant difference of two levels, as a share; closer levels
    ///   count as one
    static Optional<Fit.Found> of(double[] values, double leastEffect) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int below = below(sorted);
        int rarer = Math.min(below, sorted.length - below);
        if (rarer < Math.max(MIN_VALUES, RAREST * sorted.length)) {
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
                || switches < MIN_SWITCHES) {
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

    /// Number of sorted values at the lower level, for the split with the smallest deviation within
    /// both levels.
    private static int below(double[] sorted) {
        double total = Arrays.stream(sorted).sum();
        double sum = 0;
        double max = -1;
        int at = 0;
        for (int i = 1; i < sorted.length; i++) {
            sum += sorted[i - 1];
            double by = sum / i - (total - sum) / (sorted.length - i);
            double between = by * by * i * (sorted.length - i);
            if (sorted[i] > sorted[i - 1] && between > max) {
                max = between;
                at = i;
            }
        }
        return at;
    }

    /// Deviation of the values, estimated from the differences between consecutive values. A change
    /// of level affects only one difference.
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

    /// Moves all values to the more frequent level. If the last stay is too long to be ordinary,
    /// its level may be permanent: the values before it are then moved to the other level.
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

    /// Index at which a last stay of unusual length begins; the length of the series if it is
    /// ordinary.
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
        // a few stays show little about how long one may be
        double stays = (there - left + 1.0) / (there + 2.0);
        return Math.pow(stays, isHigh.length - end - 1.0) < MIN_CHANCE ? end : isHigh.length;
    }
}
