package dev.jdyno.series;

import java.util.List;
import java.util.Optional;

/// What a series says of its last values.
///
/// @param lowerIsBetter direction of the figure
/// @param verdict of the last change of level
public record Judgement(Levels levels, boolean lowerIsBetter, int values, Verdict verdict) {
    /// What is made of it.
    public enum Verdict {
        OK("ok"),
        /// The level that holds now is worse than the one before it.
        REGRESSION("regression"),
        /// Too few values for two levels.
        UNCLEAR("unclear");

        private final String key;

        Verdict(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    /// @param leastEffect a change of less than this share of the level is none
    public static Judgement of(double[] values, boolean lowerIsBetter, double leastEffect) {
        Levels levels = Levels.of(values, leastEffect);
        Verdict verdict =
                values.length < Levels.LEAST
                        ? Verdict.UNCLEAR
                        : last(levels.changes())
                                .filter(c -> isWorse(c, lowerIsBetter))
                                .map(_ -> Verdict.REGRESSION)
                                .orElse(Verdict.OK);
        return new Judgement(levels, lowerIsBetter, values.length, verdict);
    }

    private static Optional<Levels.Change> last(List<Levels.Change> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(changes.getLast());
    }

    /// Whether a change of level is for the worse.
    public boolean isWorse(Levels.Change change) {
        return isWorse(change, lowerIsBetter);
    }

    private static boolean isWorse(Levels.Change change, boolean lowerIsBetter) {
        return (change.after() > change.before()) == lowerIsBetter;
    }
}
