package dev.jdyno.tune;

import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.verdict.Change;
import java.util.List;
import java.util.Optional;

/// The result of tuning.
///
/// @param improved the figure that was improved
/// @param baseline the service as it is started now
/// @param rounds one for each bottleneck, or each further batch of candidates
/// @param changes the smallest set that was found
/// @param confirmed the set against the baseline; empty where nothing was changed, where it was cut
///   short, and where the service could not be used with the set
/// @param command that starts the service with all changes
/// @param files copies of configuration that the command refers to, each with its difference
/// @param ablation each accepted change taken out again
/// @param next what is recommended now that is no setting
/// @param searchEnd what was left when the budget ended the search; empty where nothing was
/// @param seconds all of it took, with what an earlier run of it had measured
/// @param resumed whether an earlier run was gone on with
/// @param partial whether it was cut short
/// @param notes what the reader must know
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

    /// One diagnosis and what was tried because of it.
    public record Round(Diagnosed diagnosed, List<Tried> tried) {
        public Round {
            tried = List.copyOf(tried);
        }
    }

    /// A candidate and what became of it.
    ///
    /// @param screened by one start of each
    /// @param measured by several; empty where the first look ruled it out
    /// @param why in a few words, where the figures do not say it
    public record Tried(
            Candidate candidate,
            Fate fate,
            Optional<Measured> screened,
            Optional<Measured> measured,
            String why) {
        /// Whether it was compared over several starts.
        public boolean compared() {
            return measured.isPresent();
        }

        /// The most that is known of its gain.
        public Optional<Measured> best() {
            return measured.or(() -> screened);
        }
    }

    /// What became of a candidate.
    public enum Fate {
        ACCEPTED("accepted"),
        /// It does not help, or harms; or its look says that it has not the gain that matters.
        REJECTED("rejected"),
        /// The JVM refuses it, or the service never answers with it.
        DOES_NOT_START("does-not-start"),
        /// It fails requests, crashes, or breaks the goal.
        INFEASIBLE("infeasible"),
        /// It was compared, and the interval stayed too wide.
        INCONCLUSIVE("inconclusive"),
        /// Its look showed no gain and cannot exclude one: not worth a comparison.
        NOT_PROMISING("inconclusive"),
        /// Its look was worth a comparison, which was not made.
        NOT_COMPARED("inconclusive");

        private final String key;

        Fate(String key) {
            this.key = key;
        }

        /// As it stands in `tune.json`: one value for all of which nothing is proved.
        public String key() {
            return key;
        }
    }

    /// The final set with and without one change.
    ///
    /// @param instead what stood in its place: of a larger heap, the young generation that it
    ///   brought along; empty where nothing did
    /// @param measured without ÷ with
    public record Ablated(
            Change.Launch change,
            Optional<Change.Launch> instead,
            Measured measured,
            boolean kept) {
        public Ablated(Change.Launch change, Measured measured, boolean kept) {
            this(change, Optional.empty(), measured, kept);
        }
    }

    /// A copy of a file of the user's.
    ///
    /// @param original what it was made of
    /// @param diff unified
    public record ChangedFile(String original, String copy, String diff) {}

    /// How the predictions of throughput came out over all tried changes, as far as the measured
    /// intervals can say it.
    ///
    /// @param all predictions of what was measured
    /// @param medianError of those that are no bound, as a share of what was measured; empty
    ///   without any
    /// @param errors predictions that have an error
    /// @param bounds predictions of the most it can be, which could be judged
    /// @param held those of them that the measured interval does not exceed
    public record Predictions(
            long all, Optional<Double> medianError, long errors, long bounds, long held) {
        /// Predictions that could be judged.
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

    /// Candidates that gained more than their bound.
    public List<Tried> exceeding() {
        return judgedBounds().stream().filter(t -> !holds(t)).toList();
    }

    private List<Tried> judgedBounds() {
        return predicted().stream()
                .filter(t -> t.candidate().atMost())
                .filter(Tuned::judgesBound)
                .toList();
    }

    /// Candidates whose gain was predicted and measured.
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

    /// Whether the measurement could have shown that a bound does not hold: an interval on both
    /// sides of it says so only where it is narrow.
    private static boolean judgesBound(Tried tried) {
        double bound = tried.candidate().predictedQpsRatio().orElseThrow();
        return tried.best()
                .filter(m -> m.isNarrow() || m.ci95().filter(i -> !i.contains(bound)).isPresent())
                .isPresent();
    }

    private static boolean holds(Tried tried) {
        double least = tried.best().flatMap(Measured::ci95).map(Interval::lo).orElseThrow();
        return least <= tried.candidate().predictedQpsRatio().orElseThrow();
    }
}
