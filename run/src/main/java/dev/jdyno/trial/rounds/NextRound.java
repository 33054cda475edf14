package dev.jdyno.trial.rounds;

import dev.jdyno.capacity.KneeSearch;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Chooses the next closed-loop round: the next load of the plan, or the one that the search for
/// the knee asks for. It depends only on the rounds so far.
public final class NextRound {
    /// Maximum number of rounds of a search, with the disturbed ones. The result reports whether
    /// the knee is precise.
    public static final int MAX_ROUNDS = 14;

    /// Length of a round of the overload probe before a search under goals. Its rounds are short,
    /// because they only show the search in which range of rates to look.
    private static final double PROBE_ROUND_SECONDS = 3;

    private static final int MAX_PROBE_ROUNDS = 8;

    /// Half width of the knee's interval, as a share, at which the search ends.
    private static final double PRECISION = 0.10;

    private NextRound() {}

    /// @param cores of the machine
    public static KneeSearch.Step of(Plan plan, MeasuredRounds rounds, int cores) {
        double seconds = Durations.seconds(plan.rounds().length());
        if (plan.search().isPresent()) {
            return search(plan, rounds, cores, PROBE_ROUND_SECONDS, MAX_PROBE_ROUNDS);
        }
        if (plan.rounds().concurrency().isEmpty()) {
            return search(plan, rounds, cores, seconds, MAX_ROUNDS);
        }
        // a disturbed load is repeated after all others
        return missing(plan.rounds().concurrency(), rounds.all()).stream()
                .findFirst()
                .or(() -> again(plan, rounds).stream().findFirst())
                .<KneeSearch.Step>map(
                        n -> new KneeSearch.Step.Measure(n, seconds, "as the plan says"))
                .orElseGet(() ->
                        new KneeSearch.Step.Done(
                                KneeSearch.Reason.PRECISE_ENOUGH,
                                "every load of the plan was run"));
    }

    /// True if a load will be measured again, as far as the rounds so far show.
    ///
    /// @param cores of the machine
    public static boolean comesAgain(Plan plan, MeasuredRounds rounds, int cores, int concurrency) {
        if (plan.search().isEmpty() && !plan.rounds().concurrency().isEmpty()) {
            return again(plan, rounds).contains(concurrency);
        }
        return of(plan, rounds, cores) instanceof KneeSearch.Step.Measure(int n, double _, String _)
                && n == concurrency;
    }

    /// Loads of the plan that were run, but have no round in the result yet.
    private static List<Integer> again(Plan plan, MeasuredRounds rounds) {
        return missing(plan.rounds().concurrency(), rounds.counted()).stream()
                .filter(rounds::mayMeasure)
                .toList();
    }

    /// The loads of a plan that were not measured yet, in the order of the plan. A load that the
    /// plan has twice needs two rounds.
    static List<Integer> missing(List<Integer> planned, List<Round> measured) {
        List<Integer> left = new ArrayList<>(measured.stream().map(Round::concurrency).toList());
        return planned.stream().filter(n -> !left.remove(/* element */ n)).toList();
    }

    /// The step of the knee search. The cost of disturbed rounds is subtracted from its budget.
    private static KneeSearch.Step search(
            Plan plan, MeasuredRounds rounds, int cores, double roundSeconds, int max) {
        KneeSearch.Step next =
                new KneeSearch(
                                new KneeSearch.Settings(
                                        plan.rounds().maxConcurrency(),
                                        roundSeconds,
                                        Math.max(
                                                roundSeconds,
                                                roundSeconds * max - rounds.secondsLost()),
                                        PRECISION,
                                        Math.max(1, max - rounds.leftOut().size()),
                                        cores,
                                        Optional.empty()))
                        .next(rounds.comparable());
        return next instanceof KneeSearch.Step.Measure(int n, double _, String _)
                        && !rounds.mayMeasure(n)
                ? new KneeSearch.Step.Done(
                        KneeSearch.Reason.BUDGET_SPENT,
                        "other processes disturbed so many rounds that none is measured again to"
                                + " narrow the knee")
                : next;
    }
}
