package dev.jdyno.tune;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Optional;

/// The result of a tuning.
///
/// @param improved the figure to improve
/// @param baseline diagnosis of the service before any change
/// @param rounds one for each bottleneck, or each further batch of candidates
/// @param changes the smallest set of changes that was found
/// @param confirmed comparison of the set with the baseline; empty if nothing was changed, the
///   tuning was cut short, or the service could not be used with the set
/// @param command the launch command with all changes
/// @param files copies of configuration files that the command refers to, each with a diff
/// @param ablation results of removing each accepted change again
/// @param next remaining recommendations that are not settings
/// @param searchEnd what remained when the budget ended the search; empty if nothing did
/// @param seconds duration of the tuning, including the steps of earlier runs
/// @param resumed whether the tuning continued an earlier run
/// @param partial whether the tuning was cut short
/// @param notes notes for the reader
public record Tuned(
        Metric improved,
        Diagnosed baseline,
        List<Round> rounds,
        List<Change.Launch> changes,
        Optional<Measured> confirmed,
        String command,
        List<ChangedFile> files,
        List<Ablated> ablation,
        List<Diagnosed.Advice> next,
        Optional<SearchEnd> searchEnd,
        double seconds,
        boolean resumed,
        boolean partial,
        List<Note> notes) {
    public Tuned {
        rounds = List.copyOf(rounds);
        changes = List.copyOf(changes);
        files = List.copyOf(files);
        ablation = List.copyOf(ablation);
        next = List.copyOf(next);
        notes = List.copyOf(notes);
    }

    /// One diagnosis and the candidates that were tried after it.
    public record Round(Diagnosed diagnosed, List<Tried> tried) {
        public Round {
            tried = List.copyOf(tried);
        }
    }

    /// A candidate and the decision about it.
    ///
    /// @param screened result of the look (one start of each variant)
    /// @param measured result of the comparison; empty if the look ruled the candidate out
    /// @param why short reason if the figures do not show it
    public record Tried(
            Candidate candidate,
            Fate fate,
            Optional<Measured> screened,
            Optional<Measured> measured,
            String why) {
        /// True if the candidate was compared over several starts.
        public boolean compared() {
            return measured.isPresent();
        }

        /// The most reliable measurement of its gain.
        public Optional<Measured> best() {
            return measured.or(() -> screened);
        }
    }

    /// The decision about a candidate.
    public enum Fate {
        ACCEPTED("accepted"),
        /// The candidate does not help or does harm, or its look excludes a gain that matters.
        REJECTED("rejected"),
        /// The JVM refuses the flags, or the service gives no answer with them.
        DOES_NOT_START("does-not-start"),
        /// The candidate fails requests, crashes, or misses the goal.
        INFEASIBLE("infeasible"),
        /// The candidate was compared, and the interval stayed too wide.
        INCONCLUSIVE("inconclusive"),
        /// The look showed too little gain for a comparison, but cannot exclude a gain that
        /// matters.
        NOT_PROMISING("inconclusive"),
        /// The look was worth a comparison, which was not made.
        NOT_COMPARED("inconclusive");

        private final String key;

        Fate(String key) {
            this.key = key;
        }

        /// The key in `tune.json`: all undecided fates share one value.
        public String key() {
            return key;
        }
    }

    /// Result of a comparison of the final set with and without one change.
    ///
    /// @param instead change that replaced it: for a larger heap, the young generation that it
    ///   implied; empty if nothing replaced it
    /// @param measured the set without the change ÷ the set with it
    public record Ablated(
            Change.Launch change,
            Optional<Change.Launch> instead,
            Measured measured,
            boolean kept) {
        public Ablated(Change.Launch change, Measured measured, boolean kept) {
            this(change, Optional.empty(), measured, kept);
        }
    }

    /// A changed copy of one of the user's files.
    ///
    /// @param original path of the user's file
    /// @param diff unified diff against the original
    public record ChangedFile(String original, String copy, String diff) {}

    /// The accuracy of the predictions of throughput over all tried changes, as far as the measured
    /// intervals show it.
    ///
    /// @param all number of predictions whose gain was measured
    /// @param medianError median error of the predictions that are not bounds, as a share of the
    ///   measured gain; empty without any
    /// @param errors number of predictions that have an error
    /// @param bounds number of upper bounds that could be judged
    /// @param held number of those bounds that the measured interval does not exceed
    public record Predictions(
            long all, Optional<Double> medianError, long errors, long bounds, long held) {
        /// Number of predictions that could be judged.
        public long judged() {
            return errors + bounds;
        }
    }

    public Predictions predictions() {
        List<Tried> known = predicted();
        double[] errors =
                known.stream()
                        .filter(t -> !t.candidate().atMost())
                        .filter(t -> t.best().filter(Measured::isNarrow).isPresent())
                        .mapToDouble(Tuned::error)
                        .sorted()
                        .toArray();
        List<Tried> bounds = judgedBounds();
        return new Predictions(
                known.size(),
                errors.length == 0 ? Optional.empty() : Optional.of(Quantiles.median(errors)),
                errors.length,
                bounds.size(),
                bounds.stream().filter(Tuned::holds).count());
    }

    /// Candidates that gained more than their upper bound.
    public List<Tried> exceeding() {
        return judgedBounds().stream().filter(t -> !holds(t)).toList();
    }

    private List<Tried> judgedBounds() {
        return predicted().stream()
                .filter(t -> t.candidate().atMost())
                .filter(Tuned::judgesBound)
                .toList();
    }

    /// Candidates with both a predicted and a measured gain.
    private List<Tried> predicted() {
        return rounds.stream()
                .flatMap(r -> r.tried().stream())
                .filter(_ -> improved == Metric.QPS)
                .filter(t -> t.candidate().predictedQpsRatio().isPresent())
                .filter(t -> t.best().flatMap(Measured::gain).isPresent())
                .toList();
    }

    private static double error(Tried tried) {
        double gain = tried.best().flatMap(Measured::gain).orElseThrow();
        return Math.abs(tried.candidate().predictedQpsRatio().orElseThrow() - gain) / gain;
    }

    /// True if the measurement could refute the bound: the interval excludes the bound, or it is
    /// narrow.
    private static boolean judgesBound(Tried tried) {
        double bound = tried.candidate().predictedQpsRatio().orElseThrow();
        return tried.best()
                .filter(m -> m.isNarrow() || m.ci95().filter(i -> !i.contains(bound)).isPresent())
                .isPresent();
    }

    private static boolean holds(Tried tried) {
        double min = tried.best().flatMap(Measured::ci95).map(Interval::lo).orElseThrow();
        return min <= tried.candidate().predictedQpsRatio().orElseThrow();
    }
}
