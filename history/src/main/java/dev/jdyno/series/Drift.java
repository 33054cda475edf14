package dev.jdyno.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A level that changes gradually over several values.
///
/// @param from index of the last value before the drift
/// @param to index of the first value after the drift
/// @param before level before the drift
/// @param after level after the drift
public record Drift(int from, int to, double before, double after) {
    /// Minimum length of a drift; a shorter one is a step.
    private static final int MIN = 2 * EDivisive.MIN;

    /// Maximum number of places to try for each end.
    private static final int PLACES = 200;

    /// Parameters of the model: two ends and two levels.
    private static final int PARAMETERS = 4;

    /// Finds drifts: consecutive changes of level in one direction become one drift if a straight
    /// line explains the values better than steps do.
    ///
    /// @param drifts drifts in ascending order
    /// @param changes changes of level, with each drift as one of them
    record Found(List<Drift> drifts, List<Levels.Change> changes) {}

    static Found in(double[] values, List<Levels.Change> changes) {
        List<Drift> drifts = new ArrayList<>();
        List<Levels.Change> left = new ArrayList<>();
        int at = 0;
        while (at < changes.size()) {
            int end = at + 1;
            while (end < changes.size() && isUp(changes.get(end)) == isUp(changes.get(at))) {
                end++;
            }
            List<Levels.Change> chain = changes.subList(at, end);
            int begins = at == 0 ? 0 : changes.get(at - 1).index();
            int ends = end == changes.size() ? values.length : changes.get(end).index();
            Optional<Drift> drift =
                    chain.size() < 2
                            ? Optional.empty()
                            : of(Arrays.copyOfRange(values, begins, ends), begins, chain);
            drift.ifPresentOrElse(
                    d -> {
                        drifts.add(d);
                        left.add(new Levels.Change(d.from(), d.before(), d.after()));
                    },
                    () -> left.addAll(chain));
            at = end;
        }
        return new Found(drifts, left);
    }

    private static boolean isUp(Levels.Change change) {
        return change.after() > change.before();
    }

    /// @param offset index of the first of these values in the series
    private static Optional<Drift> of(double[] values, int offset, List<Levels.Change> chain) {
        int n = values.length;
        int stride = Math.max(1, n / PLACES);
        Optional<Line> best = Optional.empty();
        for (int from = 0; from < n - MIN; from += stride) {
            for (int to = from + MIN; to < n; to += stride) {
                Line line = Line.of(values, from, to);
                if (best.isEmpty() || line.off() < best.get().off()) {
                    best = Optional.of(line);
                }
            }
        }
        List<Levels.Change> inside =
                chain.stream()
                        .map(c -> new Levels.Change(c.index() - offset, c.before(), c.after()))
                        .toList();
        double steps =
                Fit.bic(
                        values,
                        Fit.offLevels(values, new Levels(inside, List.of())),
                        Fit.parameters(inside.size()));
        return best.filter(l -> Fit.bic(values, l.off(), PARAMETERS) < steps)
                .map(l -> new Drift(offset + l.from(), offset + l.to(), l.before(), l.after()));
    }

    /// A constant level up to one place, a straight line to another place, and a constant level
    /// after it.
    ///
    /// @param off sum of the squared deviations of the values from the line
    private record Line(int from, int to, double before, double after, double off) {
        static Line of(double[] values, int from, int to) {
            int n = values.length;
            double sumX = 0;
            double sumY = 0;
            double sumXx = 0;
            double sumXy = 0;
            double sumYy = 0;
            for (int i = 0; i < n; i++) {
                double x = Math.clamp(i - (double) from, 0, to - from);
                sumX += x;
                sumY += values[i];
                sumXx += x * x;
                sumXy += x * values[i];
                sumYy += values[i] * values[i];
            }
            double xx = sumXx - sumX * sumX / n;
            double xy = sumXy - sumX * sumY / n;
            double yy = sumYy - sumY * sumY / n;
            double slope = xx > 0 ? xy / xx : 0;
            double begin = (sumY - slope * sumX) / n;
            return new Line(
                    from, to, begin, begin + slope * (to - from), Math.max(0, yy - slope * xy));
        }
    }
}
