package dev.jdyno.series;

import java.util.Arrays;
import java.util.Optional;

/// Finds the period of a repeating series.
final class Seasons {
    /// Minimum number of values: with fewer, any period may be chance.
    private static final int MIN_VALUES = 24;

    /// Minimum share of the variance that a period explains.
    private static final double EXPLAINS = 0.5;

    /// Penalty for choosing the best of many fits, in units of the BIC, per natural logarithm of
    /// their number.
    private static final double CHOICE = 3;

    /// Minimum number of repetitions of a period.
    private static final int MIN_TIMES = 3;

    private static final int SHORTEST = 4;

    /// Resolution of the trial periods: neighbouring trials differ by 1/8 of a period over the
    /// whole series.
    private static final double FINE = 8;

    /// Maximum coarseness: the profile has one mean per value of a period, or half or a third as
    /// many.
    private static final int COARSEST = 3;

    private Seasons() {}

    /// Returns the period; empty unless it explains the values better than changes of level do.
    ///
    /// @param levels of the values
    static Optional<Fit.Found> of(double[] values, Levels levels, double leastEffect) {
        if (values.length < MIN_VALUES) {
            return Optional.empty();
        }
        int choices = 0;
        Optional<Profile> best = Optional.empty();
        int n = values.length;
        for (double times = MIN_TIMES; times <= (double) n / SHORTEST; times += 1 / FINE) {
            for (int coarse = 1; coarse <= COARSEST; coarse++) {
                int parts = (int) Math.round(n / times / coarse);
                if (parts >= SHORTEST) {
                    Profile profile = Profile.of(values, n / times, parts);
                    choices++;
                    if (best.isEmpty() || profile.bic() < best.get().bic()) {
                        best = Optional.of(profile);
                    }
                }
            }
        }
        double choice = CHOICE * Math.log(Math.max(1, choices));
        return best.filter(p -> p.explained(values) >= EXPLAINS)
                .flatMap(p -> judged(values, p, levels, leastEffect, choice));
    }

    private static Optional<Fit.Found> judged(
            double[] values, Profile profile, Levels levels, double leastEffect, double choice) {
        double[] rest = profile.rest(values);
        Levels left = Levels.of(rest, leastEffect);
        double withSeason =
                Fit.bic(
                        values,
                        Fit.offLevels(rest, left),
                        profile.parameters() + Fit.parameters(left.changes().size()));
        double withLevels =
                Fit.bic(
                        values,
                        Fit.offLevels(values, levels),
                        Fit.parameters(levels.changes().size()));
        // changes of level that appear only in the rest must not count in favour of a period
        return Math.max(profile.bic(), withSeason) + choice < withLevels
                ? Optional.of(new Fit.Found(profile.season(), rest, 0))
                : Optional.empty();
    }

    /// The means of the parts of a period.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Profile(double period, double[] means, double bic) {
        static Profile of(double[] values, double period, int parts) {
            double[] sums = new double[parts];
            int[] counts = new int[parts];
            for (int i = 0; i < values.length; i++) {
                int part = part(i, period, parts);
                sums[part] += values[i];
                counts[part]++;
            }
            double all = Arrays.stream(values).average().orElse(0);
            for (int part = 0; part < parts; part++) {
                sums[part] = counts[part] == 0 ? all : sums[part] / counts[part];
            }
            double off = 0;
            for (int i = 0; i < values.length; i++) {
                double by = values[i] - sums[part(i, period, parts)];
                off += by * by;
            }
            // parameters: the period, and a mean for each part
            return new Profile(period, sums, Fit.bic(values, off, parts + 1.0));
        }

        private static int part(int i, double period, int parts) {
            return Math.min(parts - 1, (int) (i % period / period * parts));
        }

        /// Share of the variance that the period explains, 0 to 1.
        double explained(double[] values) {
            double mean = Arrays.stream(values).average().orElse(0);
            double all = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
            double[] rest = rest(values);
            double left = Arrays.stream(rest).map(v -> (v - mean) * (v - mean)).sum();
            return all > 0 ? 1 - left / all : 0;
        }

        double parameters() {
            return means.length;
        }

        double[] rest(double[] values) {
            double mean = Arrays.stream(values).average().orElse(0);
            double[] rest = values.clone();
            for (int i = 0; i < rest.length; i++) {
                rest[i] += mean - means[part(i, period, means.length)];
            }
            return rest;
        }

        Repeating.Season season() {
            return new Repeating.Season(
                    period,
                    Arrays.stream(means).min().orElseThrow(),
                    Arrays.stream(means).max().orElseThrow());
        }
    }
}
