package dev.jdyno.tune;

import dev.jdyno.compare.Metric;
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
/// @param confirmed the set against the baseline; empty where nothing was changed or it was cut
///   short
/// @param command that starts the service with all changes
/// @param files copies of configuration that the command refers to, each with its difference
/// @param ablation each accepted change taken out again
/// @param next what is recommended now that is no setting
/// @param seconds all of it took, with what an earlier run of it had measured
/// @param resumed whether an earlier run was gone on with
/// @param partial whether it was cut short
/// @param notes what the reader must know
public record Tuned(
        Metric improved,
        Diagnosed baseline,
        List<Round> rounds,
        List<Change> changes,
        Optional<Measured> confirmed,
        String command,
        List<ChangedFile> files,
        List<Ablated> ablation,
        List<Diagnosed.Advice> next,
        double seconds,
        boolean resumed,
        boolean partial,
        List<String> notes) {
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
        /// The most that is known of its gain.
        public Optional<Measured> best() {
            return measured.or(() -> screened);
        }
    }

    /// What became of a candidate.
    public enum Fate {
        ACCEPTED("accepted"),
        /// It does not help, or harms.
        REJECTED("rejected"),
        /// The JVM refuses it, or the service never answers with it.
        DOES_NOT_START("does-not-start"),
        /// It fails requests, crashes, or breaks the goal.
        INFEASIBLE("infeasible"),
        INCONCLUSIVE("inconclusive");

        private final String key;

        Fate(String key) {
            this.key = key;
        }

        /// As it stands in `tune.json`.
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
            Change change, Optional<Change> instead, Measured measured, boolean kept) {
        public Ablated(Change change, Measured measured, boolean kept) {
            this(change, Optional.empty(), measured, kept);
        }
    }

    /// A copy of a file of the user's.
    ///
    /// @param original what it was made of
    /// @param diff unified
    public record ChangedFile(String original, String copy, String diff) {}

    /// How the predictions of throughput came out over all tried changes.
    ///
    /// @param medianError of those that are no bound, as a share of what was measured; empty
    ///   without any
    /// @param bounds predictions that say how much it can be at most
    /// @param held those of them that the measured interval does not exceed
    public record Predictions(Optional<Double> medianError, long bounds, long held) {}

    public Predictions predictions() {
        List<Tried> known =
                rounds.stream()
                        .flatMap(r -> r.tried().stream())
                        .filter(t -> improved == Metric.QPS)
                        .filter(t -> t.candidate().predictedQpsRatio().isPresent())
                        .filter(t -> t.best().flatMap(Measured::gain).isPresent())
                        .toList();
        double[] errors =
                known.stream()
                        .filter(t -> !t.candidate().atMost())
                        .mapToDouble(Tuned::error)
                        .sorted()
                        .toArray();
        List<Tried> bounds = known.stream().filter(t -> t.candidate().atMost()).toList();
        return new Predictions(
                errors.length == 0 ? Optional.empty() : Optional.of(Quantiles.median(errors)),
                bounds.size(),
                bounds.stream().filter(Tuned::holds).count());
    }

    private static double error(Tried tried) {
        double gain = tried.best().flatMap(Measured::gain).orElseThrow();
        return Math.abs(tried.candidate().predictedQpsRatio().orElseThrow() - gain) / gain;
    }

    private static boolean holds(Tried tried) {
        double least =
                tried.best().flatMap(m -> m.ci95().map(Interval::lo).or(m::gain)).orElseThrow();
        return least <= tried.candidate().predictedQpsRatio().orElseThrow();
    }
}
