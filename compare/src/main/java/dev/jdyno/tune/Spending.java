package dev.jdyno.tune;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.tune.BudgetPlan.Item;
import dev.jdyno.tune.BudgetPlan.What;
import dev.jdyno.tune.Race.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Tracks the budget: the time spent, the time reserved for the end of a tuning, and which steps
/// fit into the rest.
final class Spending {
    /// Default duration of a diagnosis, in seconds, before any was timed.
    static final double DIAGNOSIS_SECONDS = 120;

    /// Minimum number of starts of both variants in a comparison.
    static final int PROOF_STARTS = 3;

    /// Instances of a comparison of two candidates together.
    private static final int USUAL_INSTANCES = 4;

    private final TuneSettings settings;
    private final Journal journal;
    private final Diagnoses diagnoses;
    private boolean ended;

    Spending(TuneSettings settings, Journal journal, Diagnoses diagnoses) {
        this.settings = settings;
        this.journal = journal;
        this.diagnoses = diagnoses;
    }

    /// Minimum duration of a useful tuning: a diagnosis, one candidate, and a confirmation.
    static double minSeconds(TuneSettings settings) {
        return DIAGNOSIS_SECONDS
                + settings.lookSeconds()
                + PROOF_STARTS * settings.startSeconds(1)
                + endStarts(1) * settings.startSeconds(1);
    }

    /// Number of starts needed to take out all changes one after the other, and for the
    /// confirmation.
    private static int endStarts(int changes) {
        return Kind.CONFIRM.most() + (changes > 1 ? PROOF_STARTS * changes : 0);
    }

    /// Expected duration of another diagnosis: the duration of the longest one so far.
    double diagnosisSeconds() {
        return diagnoses.longestSeconds().orElse(DIAGNOSIS_SECONDS);
    }

    /// Expected duration of this many starts of both variants, each with its blocks.
    double seconds(int starts, int pairs) {
        return starts
                * settings.startSeconds(
                        2, pairs, toStart(), diagnoses.warmUpSeconds(), diagnoses.runSeconds());
    }

    /// Expected duration of a look at this many candidates at once: one start of each and of the
    /// present service.
    double lookSeconds(int candidates) {
        double warmUp =
                Math.min(diagnoses.warmUpSeconds(), Durations.seconds(settings.lookWarmUp()));
        return settings.startSeconds(
                candidates + 1, Race.LOOK_PAIRS, toStart(), warmUp, diagnoses.runSeconds());
    }

    /// Expected duration of a comparison of one candidate.
    double proofSeconds() {
        return seconds(PROOF_STARTS, 1);
    }

    /// Expected duration of the comparison that follows the looks.
    ///
    /// @param together whether several candidates are compared at once
    double proofSeconds(boolean together) {
        return together ? RaceAtOnce.MIN_STARTS * jointSeconds(USUAL_INSTANCES) : proofSeconds();
    }

    /// Expected duration of looks at all these candidates.
    ///
    /// @param atOnce number of candidates that can run at once
    private double looksSeconds(int candidates, int atOnce) {
        int whole = candidates / atOnce;
        int rest = candidates % atOnce;
        return whole * lookSeconds(atOnce) + (rest > 0 ? lookSeconds(rest) : 0);
    }

    /// Longest expected duration of the comparisons of all these candidates.
    ///
    /// @param together number of candidates that can be compared together; 1 if they are compared
    ///   one by one
    private double proofsSeconds(int candidates, int together) {
        double seconds = 0;
        for (int left = candidates; left > 0; left -= together) {
            int n = Math.min(left, together);
            seconds +=
                    Kind.PROVE.most()
                            * (n > 1 ? jointSeconds(n + Together.CONTROL_AND_ALL) : seconds(1, 1));
        }
        return seconds;
    }

    /// Largest number of candidates for which a time suffices: a look at all of them, and the
    /// comparison after it, because a look without a later comparison proves nothing. 0 if it does
    /// not suffice for one.
    ///
    /// @param atOnce number of candidates that can run at once
    /// @param joint whether several candidates can be compared together
    int lookedAt(int atOnce, boolean joint, double seconds) {
        int n = atOnce;
        while (n > 0 && lookSeconds(n) + proofSeconds(joint && n > 1) >= seconds) {
            n--;
        }
        return n;
    }

    /// The same for the time that is left in the budget. If it does not suffice for one candidate,
    /// the budget ends the search.
    ///
    /// @param kept seconds of the budget that are kept for later steps
    int lookedAtNext(int atOnce, boolean joint, double kept) {
        int n = lookedAt(atOnce, joint, Durations.seconds(left(kept)));
        ended |= n == 0;
        return n;
    }

    /// Expected duration of one start of this many variants at once.
    double jointSeconds(int variants) {
        return settings.startSeconds(
                variants, pairs(), toStart(), diagnoses.warmUpSeconds(), diagnoses.runSeconds());
    }

    /// Number of blocks of each variant in a joint comparison. The best number grows with the
    /// square root of start time ÷ block time.
    int pairs() {
        Optional<Double> run = diagnoses.runSeconds();
        double start = settings.startSeconds(1, 0, toStart(), diagnoses.warmUpSeconds(), run);
        return Math.clamp(Math.round(Math.sqrt(start / (2 * settings.blockSeconds(run)))), 1, 3);
    }

    private double toStart() {
        return Math.max(TuneSettings.SERVICE_START_SECONDS, diagnoses.startSeconds());
    }

    /// Time kept for taking changes out and the confirmation, for this many accepted changes.
    double keptSeconds(int changes) {
        return seconds(endStarts(changes), 1);
    }

    double elapsed() {
        return journal.elapsed();
    }

    /// Time left in the budget after subtracting these seconds.
    Duration left(double kept) {
        double left = Durations.seconds(settings.budget()) - elapsed() - kept;
        return Durations.ofSeconds(Math.max(0, left));
    }

    /// True if the budget has time for a step.
    ///
    /// @param kept seconds of the budget that are kept for later steps
    boolean hasTime(double seconds, double kept) {
        return Durations.seconds(left(kept)) > seconds;
    }

    /// True if the budget has time for a step. If it has not, the budget ends the search.
    ///
    /// @param kept seconds of the budget that are kept for later steps
    boolean affords(double seconds, double kept) {
        boolean affords = hasTime(seconds, kept);
        ended |= !affords;
        return affords;
    }

    /// Plans the rest of the budget after the first diagnosis.
    ///
    /// @param batch the candidates that are tried first
    /// @param all all candidates
    /// @param atOnce number of these candidates that can run at once beside the service
    /// @param joint whether several candidates can be compared together
    BudgetPlan plan(
            List<Candidate> batch,
            List<Candidate> all,
            ToIntFunction<List<Candidate>> atOnce,
            boolean joint) {
        double spent = elapsed();
        double left = Math.max(0, Durations.seconds(settings.budget()) - spent);
        int first = 0;
        int looks = 0;
        double looksSeconds = 0;
        while (looks < batch.size()) {
            List<Candidate> wanted = batch.subList(looks, batch.size());
            int n = lookedAt(atOnce.applyAsInt(wanted), joint, left - looksSeconds);
            if (n == 0) {
                break;
            }
            first = Math.max(first, n);
            looks += n;
            looksSeconds += lookSeconds(n);
        }
        double afterLooks = left - looksSeconds;
        boolean together = joint && looks > 1 && afterLooks > proofSeconds(true);
        double proof = proofSeconds(together);
        double afterProof = afterLooks - (looks > 0 ? proof : 0);
        // a further change is diagnosed, looked at, compared, taken out again and confirmed
        double more = diagnosisSeconds() + lookSeconds(Math.max(1, first)) + proof + keptSeconds(2);
        boolean further = looks > 0 && afterProof > more;
        return new BudgetPlan(
                settings.budget(),
                List.of(
                        new Item(What.SPENT, 1, spent),
                        new Item(What.LOOK, looks, looks > 0 ? looksSeconds / looks : 0),
                        new Item(
                                together ? What.TOGETHER : What.COMPARISON,
                                looks > 0 ? 1 : 0,
                                proof),
                        new Item(What.FURTHER, further ? 1 : 0, more),
                        new Item(What.LEFT, 1, afterProof - (further ? more : 0))),
                all.stream().filter(c -> !batch.contains(c)).toList(),
                batch.subList(looks, batch.size()));
    }

    /// Returns the steps for which the budget had no time. Empty if the budget did not end the
    /// search, or no step remained.
    ///
    /// @param unseen candidates that were never started
    /// @param notCompared number of promising candidates that were started once, but not compared
    /// @param atOnce number of unseen candidates that can run at once beside the service
    /// @param together number of candidates that can be compared together
    /// @param anew whether another diagnosis was due
    /// @param changes number of accepted changes
    /// @param nextKept seconds to reserve for the end, if the next candidate is accepted
    Optional<SearchEnd> end(
            List<Candidate> unseen,
            int notCompared,
            int atOnce,
            int together,
            boolean anew,
            int changes,
            double nextKept) {
        if (!ended || (unseen.size() + notCompared == 0 && !anew)) {
            return Optional.empty();
        }
        double first = anew ? diagnosisSeconds() + lookSeconds(1) : 0;
        double more =
                first
                        + looksSeconds(unseen.size(), atOnce)
                        + proofsSeconds(
                                Math.max(unseen.size() + notCompared, anew ? 1 : 0), together);
        double kept = keptSeconds(changes + 1);
        // a candidate that was looked at against an earlier incumbent needs another look
        double look = anew ? 0 : lookSeconds(1);
        double next = elapsed() + first + look + proofSeconds() + nextKept;
        return Optional.of(
                new SearchEnd(
                        settings.budget(),
                        elapsed(),
                        more,
                        kept,
                        unseen,
                        notCompared,
                        anew,
                        minutes(next),
                        minutes(elapsed() + more + kept)));
    }

    private static Duration minutes(double seconds) {
        return Duration.ofMinutes((long) Math.ceil(seconds / 60));
    }
}
