package dev.jdyno.trial.goal;

import dev.jdyno.capacity.goal.OpenKnee;
import dev.jdyno.capacity.goal.OpenKneeSearch;
import dev.jdyno.capacity.goal.OpenTrial;
import dev.jdyno.capacity.goal.ShareBounds;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import dev.jdyno.measure.verdict.GoalKnee.Reason;
import dev.jdyno.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// The answer of a search under goals, as it is stored in the result.
public final class GoalAnswer {
    private GoalAnswer() {}

    public static GoalKnee of(
            Plan.GoalSearch wanted,
            OpenKnee knee,
            OpenKneeSearch.Probe probe,
            List<OpenTrial> trials,
            GoalCost cost,
            boolean targetFailed) {
        List<String> names = wanted.goals().stream().map(Goal::name).toList();
        long requests =
                trials.stream()
                        .flatMap(t -> t.slices().stream())
                        .mapToLong(OpenTrial.Slice::requests)
                        .sum();
        return new GoalKnee(
                names,
                boxed(knee.good()),
                boxed(knee.bad()),
                knee.estimate(),
                knee.steepness(),
                knee.hard(),
                knee.bindingGoal(),
                "",
                knee.pausesShare(),
                probe.qps(),
                knee.loadSeconds(),
                requests,
                pauses(trials, requests),
                String.join("; ", cost.says()),
                targetFailed ? Reason.TARGET_FAILED : reason(knee.reason()),
                knee.says(),
                narrow(wanted, knee, cost),
                knee.tests().stream().map(t -> tested(wanted.goals(), t)).toList());
    }

    /// The answer if no rate was driven, because the run was cut short earlier.
    public static GoalKnee untested(Plan.GoalSearch wanted, boolean targetFailed) {
        return GoalKnee.untested(
                wanted.goals().stream().map(Goal::name).toList(),
                targetFailed ? Reason.TARGET_FAILED : Reason.INTERRUPTED,
                "cut short before the first rate was driven: nothing is known");
    }

    private static String narrow(Plan.GoalSearch wanted, OpenKnee knee, GoalCost cost) {
        boolean wider = cost.precision() > wanted.precision() && !knee.isWithin(wanted.precision());
        return knee.narrow().isBlank() && wider
                ? String.format(
                        Locale.ROOT,
                        "more load time: ±%.0f %% takes about --budget %s",
                        100 * wanted.precision(),
                        Durations.format(
                                Durations.ofSeconds(Math.ceil(cost.neededSeconds() / 60) * 60)))
                : knee.narrow();
    }

    private static Reason reason(OpenKnee.Reason reason) {
        return switch (reason) {
            case BRACKETED -> Reason.BRACKETED;
            case BUDGET_SPENT -> Reason.BUDGET_SPENT;
            case CUT_SHORT -> Reason.INTERRUPTED;
            case NEVER_GOOD -> Reason.NEVER_GOOD;
        };
    }

    private static Optional<Double> boxed(OptionalDouble v) {
        return v.isPresent() ? Optional.of(v.getAsDouble()) : Optional.empty();
    }

    private static Optional<GoalKnee.Pauses> pauses(List<OpenTrial> trials, long requests) {
        double[] ms =
                trials.stream()
                        .flatMap(t -> t.pauses().stream())
                        .mapToDouble(OpenTrial.Pause::ms)
                        .toArray();
        return ms.length == 0
                ? Optional.empty()
                : Optional.of(
                        new GoalKnee.Pauses(
                                ms.length,
                                trials.stream().mapToDouble(OpenTrial::seconds).sum(),
                                ms.length / (double) Math.max(1, requests),
                                Quantiles.median(ms),
                                Quantiles.of(ms, 1)));
    }

    private static GoalKnee.Tested tested(List<Goal> goals, OpenKnee.Test test) {
        return new GoalKnee.Tested(
                test.ratePerS(),
                test.seconds(),
                outcome(test.outcome()),
                test.why().says(),
                misses(goals, test));
    }

    /// The misses of a test, for each goal in their order.
    public static List<GoalKnee.Misses> misses(List<Goal> goals, OpenKnee.Test test) {
        List<GoalKnee.Misses> misses = new ArrayList<>();
        for (int g = 0; g < goals.size(); g++) {
            ShareBounds b = test.misses().get(g);
            misses.add(
                    new GoalKnee.Misses(
                            goals.get(g).name(),
                            b.share(),
                            b.lower(),
                            Math.min(1, b.upper()),
                            goals.get(g).allowedShare()));
        }
        return misses;
    }

    private static Outcome outcome(OpenKnee.Outcome outcome) {
        return switch (outcome) {
            case GOOD -> Outcome.GOOD;
            case BAD -> Outcome.BAD;
            case OPEN -> Outcome.OPEN;
        };
    }

    /// One line about a rate: `rate 450.0/s good after 70 s: p99<100ms missed by 0.310 % (0.120 to
    /// 0.620 %, allowed 1.00 %)`. Adds the reason why a rate is bad if the misses do not show it.
    public static String line(Plan.GoalSearch wanted, OpenKnee.Test test) {
        List<String> parts = new ArrayList<>();
        if (test.why() != OpenKnee.Why.NOTHING && test.why() != OpenKnee.Why.MISSED) {
            parts.add(test.why().says() + ";");
        }
        for (int g = 0; g < wanted.goals().size(); g++) {
            Goal goal = wanted.goals().get(g);
            ShareBounds b = test.misses().get(g);
            parts.add(
                    String.format(
                            Locale.ROOT,
                            "%s missed by %.3g %% (%.3g to %.3g %%, allowed %.3g %%)%s",
                            goal.name(),
                            100 * b.share(),
                            100 * b.lower(),
                            100 * Math.min(1, b.upper()),
                            100 * goal.allowedShare(),
                            g < wanted.goals().size() - 1 ? "," : ""));
        }
        return String.format(
                Locale.ROOT,
                "rate %.4g/s %s after %.0f s: %s",
                test.ratePerS(),
                outcome(test.outcome()).key(),
                test.seconds(),
                String.join(" ", parts));
    }
}
