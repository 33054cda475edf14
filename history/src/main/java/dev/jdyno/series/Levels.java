package dev.jdyno.series;

import dev.jdyno.measure.statistics.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.TDistribution;

/// Finds where the level of a series changes. E-divisive on the values and on their ranks proposes
/// places. A place stays if Student's or Mann & Whitney's test between the levels is significant
/// and the change is visible. The combination finds more changes than its best single test, with
/// fewer errors. Single outliers are not changes of level.
///
/// @param changes in rising order
/// @param outliers indices of single values that belong to no level
public record Levels(List<Change> changes, List<Integer> outliers) {
    /// A change of level.
    ///
    /// @param index index of the first value of the new level
    /// @param before median of the previous level
    /// @param after median of the new level
    public record Change(int index, double before, double after) {
        /// After ÷ before; infinite if the level before was 0.
        public double ratio() {
            return after / before;
        }
    }

    /// Minimum number of values: fewer cannot have two levels.
    public static final int MIN = 2 * EDivisive.MIN;

    /// Maximum number of values: more would take minutes, and memory grows with their square.
    public static final int MAX = 5000;

    /// Significance of the permutation tests that propose places.
    private static final double PROPOSES = 0.01;

    /// Significance of Student's test: stricter than usual, because the same values chose the
    /// place.
    private static final double STRICT = 0.0003;

    /// Minimum change, in standard deviations within the levels, that people would see.
    private static final double VISIBLE = 1;

    /// Significance of Mann & Whitney's test.
    private static final double STRICT_RANKED = 0.0005;

    /// Maximum distance at which proposals of both detectors are the same change.
    private static final int NEAR = 2;

    /// Minimum deviation of an outlier from its neighbours, as a multiple of theirs.
    private static final double STANDS_OUT = 6;

    /// Minimum deviation of the neighbours, as a share of their median.
    private static final double FLOOR = 0.003;

    /// Number of values on each side that show the usual level.
    private static final int NEIGHBOURS = 4;

    /// Ratio of a normal distribution's standard deviation to its median absolute deviation.
    private static final double NORMAL = 1.4826;

    public Levels {
        changes = List.copyOf(changes);
        outliers = List.copyOf(outliers);
    }

    /// @param values finite, in the order of time
    /// @param leastEffect smallest change that counts, as a share of the level; 0 if every change
    ///   counts
    public static Levels of(double[] values, double leastEffect) {
        if (values.length < MIN) {
            return new Levels(List.of(), List.of());
        }
        List<Integer> outliers = outliers(values);
        double[] usual = without(values, outliers);
        List<Integer> byValue = EDivisive.of(usual, PROPOSES);
        TreeSet<Integer> places = new TreeSet<>(byValue);
        EDivisive.of(Ranks.of(usual), PROPOSES).stream()
                .filter(r -> !isNear(r, byValue))
                .forEach(places::add);
        // removing a place joins the levels beside it, which may change the tests of the others
        Optional<Integer> weakest = weakest(usual, places, leastEffect);
        while (weakest.isPresent()) {
            places.remove(weakest.get());
            weakest = weakest(usual, places, leastEffect);
        }
        List<Change> changes = new ArrayList<>();
        for (int at : places) {
            changes.add(
                    new Change(
                            at,
                            median(before(usual, places, at)),
                            median(after(usual, places, at))));
        }
        return new Levels(changes, outliers);
    }

    /// Returns the position with the weakest evidence among those that are not a change of level.
    private static Optional<Integer> weakest(
            double[] values, TreeSet<Integer> places, double leastEffect) {
        Optional<Integer> weakest = Optional.empty();
        double max = -1;
        for (int at : places) {
            double[] before = before(values, places, at);
            double[] after = after(values, places, at);
            double p = student(before, after);
            boolean differs = p <= STRICT || Ranks.mannWhitney(before, after) <= STRICT_RANKED;
            double by = Math.abs(median(after) - median(before));
            boolean matters =
                    by > leastEffect * Math.abs(median(before))
                            && by >= VISIBLE * Math.sqrt(pooledVariance(before, after));
            if (!(differs && matters) && p > max) {
                max = p;
                weakest = Optional.of(at);
            }
        }
        return weakest;
    }

    /// The level that ends at this place.
    private static double[] before(double[] values, TreeSet<Integer> places, int at) {
        Integer from = places.lower(at);
        return Arrays.copyOfRange(values, from == null ? 0 : from, at);
    }

    /// The level that begins at this place.
    private static double[] after(double[] values, TreeSet<Integer> places, int at) {
        Integer to = places.higher(at);
        return Arrays.copyOfRange(values, at, to == null ? values.length : to);
    }

    private static boolean isNear(int place, List<Integer> all) {
        return all.stream().anyMatch(o -> Math.abs(o - place) <= NEAR);
    }

    private static double[] part(double[] values, int from, int to) {
        return Arrays.copyOfRange(values, from, to);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return Quantiles.median(sorted);
    }

    /// Indices of values far from those before and those after them. The last value may begin a new
    /// level, so it is no outlier until more values follow.
    private static List<Integer> outliers(double[] values) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < values.length - 1; i++) {
            double[] before = part(values, Math.max(0, i - NEIGHBOURS), i);
            double[] after = part(values, i + 1, Math.min(values.length, i + 1 + NEIGHBOURS));
            boolean fromBefore = before.length == 0 || standsOut(values[i], before);
            boolean fromAfter = standsOut(values[i], after);
            boolean together = before.length + after.length >= NEIGHBOURS;
            if (fromBefore
                    && fromAfter
                    && together
                    && sameSide(values[i], before, after)
                    && isAlone(values, i, median(after))) {
                found.add(i);
            }
        }
        return found;
    }

    /// False if a neighbour has a similar value: two such values are the beginning or the end of a
    /// level.
    private static boolean isAlone(double[] values, int i, double level) {
        double by = Math.abs(values[i] - level) / 2;
        return (i == 0 || Math.abs(values[i] - values[i - 1]) > by)
                && Math.abs(values[i] - values[i + 1]) > by;
    }

    /// False for a value between two levels: it differs from both, but is no outlier.
    private static boolean sameSide(double value, double[] before, double[] after) {
        return before.length == 0 || (value > median(before)) == (value > median(after));
    }

    private static boolean standsOut(double value, double[] neighbours) {
        double middle = median(neighbours);
        double[] off = Arrays.stream(neighbours).map(v -> Math.abs(v - middle)).sorted().toArray();
        double usual = Math.max(NORMAL * median(off), FLOOR * Math.abs(middle));
        return Math.abs(value - middle) > STANDS_OUT * usual;
    }

    private static double[] without(double[] values, List<Integer> outliers) {
        double[] usual = values.clone();
        for (int at : outliers) {
            double[] around =
                    IntStream.rangeClosed(
                                    Math.max(0, at - NEIGHBOURS),
                                    Math.min(values.length - 1, at + NEIGHBOURS))
                            .filter(i -> !outliers.contains(i))
                            .mapToDouble(i -> values[i])
                            .toArray();
            usual[at] = around.length == 0 ? values[at] : median(around);
        }
        return usual;
    }

    /// Two-sided p of Student's test with a pooled variance, because few values cannot show two. 0
    /// if both parts are constant and differ.
    private static double student(double[] a, double[] b) {
        double meanA = Arrays.stream(a).average().orElseThrow();
        double meanB = Arrays.stream(b).average().orElseThrow();
        double freedom = a.length + b.length - 2.0;
        double pooled = pooledVariance(a, b);
        double error = pooled * (1.0 / a.length + 1.0 / b.length);
        if (!(error > 0)) {
            return meanA == meanB ? 1 : 0;
        }
        double t = Math.abs(meanA - meanB) / Math.sqrt(error);
        return 2 * new TDistribution(freedom).cumulativeProbability(-t);
    }

    /// Variance within both parts.
    private static double pooledVariance(double[] a, double[] b) {
        double meanA = Arrays.stream(a).average().orElseThrow();
        double meanB = Arrays.stream(b).average().orElseThrow();
        return (variance(a, meanA) * (a.length - 1) + variance(b, meanB) * (b.length - 1))
                / (a.length + b.length - 2.0);
    }

    private static double variance(double[] values, double mean) {
        return values.length < 2
                ? 0
                : Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum()
                        / (values.length - 1.0);
    }
}
