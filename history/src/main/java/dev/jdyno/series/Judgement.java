package dev.jdyno.series;

import java.util.List;
import java.util.Optional;

/// The judgement of a series by its last change of level.
///
/// @param levels levels of the series without its repeating pattern; a drift is one change of level
/// @param repeating the repeating pattern, if there is one
/// @param drifts the drifts among the changes of level
/// @param lowerIsBetter direction of the figure
/// @param verdict on the last change of level
public record Judgement(
        Levels levels,
        Optional<Repeating> repeating,
        List<Drift> drifts,
        boolean lowerIsBetter,
        int values,
        Verdict verdict) {
    public Judgement {
        drifts = List.copyOf(drifts);
    }

    /// The verdict on a series.
    public enum Verdict {
        OK("ok"),
        /// The present level is worse than the one before it.
        REGRESSION("regression"),
        /// The series has too few values for two levels.
        UNCLEAR("unclear");

        private final String key;

        Verdict(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    /// @param leastEffect smallest change that counts, as a share of the level
    public static Judgement of(double[] values, boolean lowerIsBetter, double leastEffect) {
        Levels plain = Levels.of(values, leastEffect);
        Optional<Fit.Found> repeating =
                values.length < Levels.MIN
                        ? Optional.empty()
                        : Seasons.of(values, plain, leastEffect)
                                .or(() -> Machines.of(values, leastEffect));
        double[] rest = repeating.map(Fit.Found::rest).orElse(values);
        Levels left =
                repeating
                        .map(f -> Levels.of(f.rest(), Math.max(leastEffect, f.leastEffect())))
                        .orElse(plain);
        Drift.Found drifts = Drift.in(rest, left.changes());
        Verdict verdict =
                values.length < Levels.MIN
                        ? Verdict.UNCLEAR
                        : last(drifts.changes())
                                .filter(c -> isWorse(c, lowerIsBetter))
                                .map(_ -> Verdict.REGRESSION)
                                .orElse(Verdict.OK);
        return new Judgement(
                new Levels(drifts.changes(), left.outliers()),
                repeating.map(Fit.Found::what),
                drifts.drifts(),
                lowerIsBetter,
                values.length,
                verdict);
    }

    private static Optional<Levels.Change> last(List<Levels.Change> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(changes.getLast());
    }

    /// Returns the drift behind a change of level; empty if the level changes from one value to the
    /// next.
    public Optional<Drift> drift(Levels.Change change) {
        return drifts.stream().filter(d -> d.from() == change.index()).findFirst();
    }

    /// True if a change of level is for the worse.
    public boolean isWorse(Levels.Change change) {
        return isWorse(change, lowerIsBetter);
    }

    private static boolean isWorse(Levels.Change change, boolean lowerIsBetter) {
        return (change.after() > change.before()) == lowerIsBetter;
    }
}
