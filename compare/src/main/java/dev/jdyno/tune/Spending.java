package dev.jdyno.tune;

import dev.jdyno.measure.text.Durations;
import dev.jdyno.tune.BudgetPlan.Item;
import dev.jdyno.tune.BudgetPlan.What;
import dev.jdyno.tune.Race.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What of the budget is spent, what is kept for the end of a tuning, and what the rest buys.
final class Spending {
    /// Seconds of a diagnosis where none has been timed yet.
    static final double DIAGNOSIS_SECONDS = 120;

    /// The fewest starts of both that a comparison takes.
    static final int PROOF_STARTS = 3;

    private final TuneSettings settings;
    private final Journal journal;
    private final Diagnoses diagnoses;
    private boolean ended;

    Spending(TuneSettings settings, Journal journal, Diagnoses diagnoses) {
        this.settings = settings;
        this.journal = journal;
        this.diagnoses = diagnoses;
    }

    /// What the least useful tuning costs: a diagnosis, one candidate, and a confirmation.
    static double leastSeconds(TuneSettings settings) {
        return DIAGNOSIS_SECONDS
                + settings.lookSeconds()
                + PROOF_STARTS * settings.startSeconds(1)
                + endStarts(1) * settings.startSeconds(1);
    }

    /// Starts that taking changes out, one after the other, and the confirmation need.
    private static int endStarts(int changes) {
        return Kind.CONFIRM.most() + (changes > 1 ? PROOF_STARTS * changes : 0);
    }

    /// What another diagnosis takes: as long as the longest so far.
    double diagnosisSeconds() {
        return diagnoses.longestSeconds().orElse(DIAGNOSIS_SECONDS);
    }

    /// What so many starts of both take, each with its blocks.
    double seconds(int starts, int pairs) {
        return starts
                * settings.startSeconds(
                        pairs,
                        Math.max(TuneSettings.SERVICE_START_SECONDS, diagnoses.startSeconds()),
                        diagnoses.warmUpSeconds());
    }

    /// For what follows once so many changes are accepted.
    double keptSeconds(int changes) {
        return seconds(endStarts(changes), 1);
    }

    double elapsed() {
        return journal.elapsed();
    }

    /// What the budget has left beside these seconds.
    Duration left(double kept) {
        double left = Durations.seconds(settings.budget()) - elapsed() - kept;
        return Durations.ofSeconds(Math.max(0, left));
    }

    /// @param changes that were accepted
    boolean affords(double seconds, int changes) {
        boolean affords = Durations.seconds(left(keptSeconds(changes + 1))) > seconds;
        ended |= !affords;
        return affords;
    }

    /// What the budget buys after the first diagnosis.
    ///
    /// @param batch candidates that are looked at first
    /// @param all candidates
    BudgetPlan plan(List<Candidate> batch, List<Candidate> all) {
        double spent = elapsed();
        double end = keptSeconds(1);
        double left = Math.max(0, Durations.seconds(settings.budget()) - spent - end);
        double look = seconds(1, Race.LOOK_PAIRS);
        double proof = seconds(PROOF_STARTS, 1);
        int looks = (int) Math.clamp((left - proof) / look, 0, batch.size());
        double afterLooks = Math.max(0, left - looks * look);
        int proofs = (int) Math.min(looks, afterLooks / proof);
        double afterProofs = afterLooks - proofs * proof;
        int diagnosed = proofs > 0 && afterProofs > diagnosisSeconds() ? 1 : 0;
        return new BudgetPlan(
                settings.budget(),
                List.of(
                        new Item(What.SPENT, 1, spent),
                        new Item(What.LOOK, looks, look),
                        new Item(What.COMPARISON, proofs, proof),
                        new Item(What.DIAGNOSIS, diagnosed, diagnosisSeconds()),
                        new Item(What.END, 1, end),
                        new Item(What.LEFT, 1, afterProofs - diagnosed * diagnosisSeconds())),
                all.stream().filter(c -> !batch.contains(c)).toList(),
                batch.subList(looks, batch.size()));
    }

    /// @param changes that were accepted
    Costs costs(int changes) {
        double beside = elapsed() + keptSeconds(changes + 1);
        double look = seconds(1, Race.LOOK_PAIRS);
        return Costs.of(settings.budget(), beside, look, seconds(1, 1), true);
    }

    /// What the budget left undone; empty where it ended nothing, or nothing was left.
    ///
    /// @param unseen candidates without a look
    /// @param notCompared candidates whose look was worth a comparison
    /// @param anew whether another diagnosis was due
    /// @param changes that were accepted
    Optional<SearchEnd> end(List<Candidate> unseen, int notCompared, boolean anew, int changes) {
        if (!ended || (unseen.size() + notCompared == 0 && !anew)) {
            return Optional.empty();
        }
        double more =
                (anew ? diagnosisSeconds() + seconds(1, Race.LOOK_PAIRS) : 0)
                        + seconds(unseen.size(), Race.LOOK_PAIRS)
                        + seconds((unseen.size() + notCompared) * Kind.PROVE.most(), 1);
        double kept = keptSeconds(changes + 1);
        double enough = elapsed() + more + kept;
        return Optional.of(
                new SearchEnd(
                        settings.budget(),
                        elapsed(),
                        kept,
                        unseen,
                        notCompared,
                        anew,
                        Duration.ofMinutes((long) Math.ceil(enough / 60))));
    }
}
