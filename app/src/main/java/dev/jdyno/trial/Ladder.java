package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import dev.jdyno.plan.Plan;
import java.util.Comparator;
import java.util.List;

/// The rising loads of a closed-model search: doubles until throughput has stopped rising for two
/// steps or falls back, then measures once at the knee itself when no round stands near it.
final class Ladder {
    /// A round that gives less than this more than the best before it did not raise throughput.
    static final double RISE = 1.03;

    /// Rounds without a rise that end the climb: the second shows what twice the load gives.
    static final int FLAT_ROUNDS = 2;

    /// Throughput below this share of the best has fallen back: the climb ends at once.
    static final double FALLEN_BACK = 0.85;

    /// A round this near to the knee, as a ratio, makes another one there needless.
    static final double NEAR = 1.2;

    /// What to do next.
    sealed interface Step {
        record Measure(int concurrency) implements Step {}

        /// @param reason why the climb ended, for the user
        record Done(String reason) implements Step {}
    }

    private Ladder() {}

    static Step next(List<Round> rounds, Plan.Rounds plan) {
        if (!plan.concurrency().isEmpty()) {
            return rounds.size() < plan.concurrency().size()
                    ? new Step.Measure(plan.concurrency().get(rounds.size()))
                    : new Step.Done("every given load was run");
        }
        if (rounds.isEmpty()) {
            return new Step.Measure(1);
        }
        boolean refined = rounds.size() > 1 && !rising(rounds);
        if (refined) {
            return new Step.Done("throughput stopped rising, and the knee was measured");
        }
        String end = ended(rounds, plan);
        if (end.isEmpty()) {
            return new Step.Measure(
                    Math.min(rounds.getLast().concurrency() * 2, plan.maxConcurrency()));
        }
        int knee = knee(rounds);
        boolean near =
                rounds.stream()
                        .anyMatch(r ->
                                Math.max(
                                                r.concurrency() / (double) knee,
                                                knee / (double) r.concurrency())
                                        < NEAR);
        return near || end.startsWith("limit") ? new Step.Done(end) : new Step.Measure(knee);
    }

    /// Whether the loads only rose so far: a smaller last load is the one at the knee.
    private static boolean rising(List<Round> rounds) {
        return rounds.getLast().concurrency() > rounds.get(rounds.size() - 2).concurrency();
    }

    private static String ended(List<Round> rounds, Plan.Rounds plan) {
        double best = 0;
        int flat = 0;
        for (Round round : rounds) {
            flat = round.qps() > best * RISE ? 0 : flat + 1;
            best = Math.max(best, round.qps());
        }
        Round last = rounds.getLast();
        if (flat >= FLAT_ROUNDS) {
            return "throughput stopped rising";
        }
        if (last.qps() < best * FALLEN_BACK) {
            return "throughput fell back";
        }
        if (last.concurrency() >= plan.maxConcurrency()) {
            return "limit: the highest concurrency of the plan was reached";
        }
        return "";
    }

    /// F1 from what was measured: N* = X_max · R_min.
    private static int knee(List<Round> rounds) {
        double best = rounds.stream().mapToDouble(Round::qps).max().orElse(1);
        double least =
                rounds.stream()
                        .min(Comparator.comparingInt(Round::concurrency))
                        .map(r -> r.rtMs().mean())
                        .orElse(1.0);
        return Math.max(1, (int) Math.round(best * least / 1000));
    }
}
