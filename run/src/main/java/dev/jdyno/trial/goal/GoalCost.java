package dev.jdyno.trial.goal;

import dev.jdyno.capacity.goal.PauseLog;
import dev.jdyno.capacity.goal.SearchCost;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.statistics.Quantiles;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/// The load time that an answer of the wanted precision needs, and the load time that will be used.
/// Both are reported in advance.
///
/// @param budgetSeconds load time to spend on trials
/// @param precision target precision: the wanted one, or the one that the budget allows
/// @param neededSeconds load time that the wanted precision is likely to take
/// @param says the report, one entry per line
public record GoalCost(
        double budgetSeconds, double precision, double neededSeconds, List<String> says) {
    /// Total load time as a multiple of the two trials at the ends of the bracket. The rest is for
    /// the search before them, and for services noisier than the formula assumes.
    private static final double OVER_THE_TWO_TRIALS = 1.6;

    /// Maximum load time without `--budget`, whatever the precision costs.
    private static final double MAX_UNASKED_SECONDS = 1200;

    private static final double MIN_SECONDS = 240;

    /// Widest useful bracket, as a share to either side.
    private static final double WIDEST = 0.3;

    public GoalCost {
        says = List.copyOf(says);
    }

    /// @param leastMs lowest mean, over the rounds, of the response times to which a goal applies
    public static GoalCost of(
            Plan.GoalSearch wanted,
            double saturation,
            ToDoubleFunction<Goal> leastMs,
            PauseLog known) {
        List<String> says = new ArrayList<>();
        says.add(pauses(known, saturation));
        double max = 0;
        boolean endless = false;
        for (Goal g : wanted.goals()) {
            double min = leastMs.applyAsDouble(g);
            SearchCost cost = SearchCost.of(g, saturation, min, known, wanted.precision());
            says.add(cost.says());
            max = Math.max(max, cost.seconds().orElse(0));
            endless |= cost.seconds().isEmpty();
        }
        double needed = Math.max(MIN_SECONDS, OVER_THE_TWO_TRIALS * max);
        double budget =
                wanted.budget()
                        .map(Durations::seconds)
                        .orElse(
                                endless
                                        ? MAX_UNASKED_SECONDS
                                        : Math.min(needed, MAX_UNASKED_SECONDS));
        String spent =
                "at most "
                        + Durations.format(Durations.ofSeconds(budget))
                        + " of load will be spent";
        if (budget >= needed && !endless) {
            says.add(spent);
            return new GoalCost(budget, wanted.precision(), needed, says);
        }
        OptionalDouble reachable = reachable(wanted, saturation, leastMs, known, budget);
        double precision = reachable.orElse(WIDEST);
        says.add(
                spent
                        + String.format(
                                Locale.ROOT,
                                reachable.isPresent()
                                        ? ", enough for about ±%.0f %%: that is aimed at"
                                        : ", too little to be sure of any bracket: ±%.0f %% is aimed at",
                                100 * precision));
        return new GoalCost(budget, precision, needed, says);
    }

    /// The precision that a budget allows; empty if it is worse than {@link #WIDEST}.
    private static OptionalDouble reachable(
            Plan.GoalSearch wanted,
            double saturation,
            ToDoubleFunction<Goal> leastMs,
            PauseLog known,
            double budget) {
        for (double p = wanted.precision(); p <= WIDEST; p *= 1.15) {
            double precision = p;
            boolean all =
                    wanted.goals().stream()
                            .allMatch(g -> {
                                OptionalDouble s =
                                        SearchCost.of(
                                                        g,
                                                        saturation,
                                                        leastMs.applyAsDouble(g),
                                                        known,
                                                        precision)
                                                .seconds();
                                return s.isPresent()
                                        && OVER_THE_TWO_TRIALS * s.getAsDouble() <= budget;
                            });
            if (all) {
                return OptionalDouble.of(precision);
            }
        }
        return OptionalDouble.empty();
    }

    private static String pauses(PauseLog known, double saturation) {
        if (known.seconds() <= 0) {
            return "stops of the JVM: not measured";
        }
        double[] ms = known.ms().stream().mapToDouble(m -> m).toArray();
        if (ms.length == 0) {
            return String.format(
                    Locale.ROOT, "stops of the JVM: none in %.0f s of load", known.seconds());
        }
        return String.format(
                Locale.ROOT,
                "stops of the JVM: %d in %.0f s of load (about one per %.0f requests), median %.3g ms, longest %.3g ms",
                ms.length,
                known.seconds(),
                saturation * known.seconds() / ms.length,
                Quantiles.median(ms),
                Quantiles.of(ms, 1));
    }
}
