package dev.jdyno.cli.options;

import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Problems;
import dev.jdyno.plan.GoalText;
import dev.jdyno.plan.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The search under response-time goals on the command line; its options override the plan's
/// `goal`.
public final class GoalOptions {
    @Option(
            names = "--goal",
            paramLabel = "GOALS",
            description = {
                "Find the highest rate of arrivals that keeps these goals, between a rate that was"
                        + " verified good and one that was verified bad: p99<100ms,errors<0.1%%."
            })
    private @Nullable String goal;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description =
                    "With --goal: load time to spend (default: as much as the precision"
                            + " needs).")
    private @Nullable String budget;

    @Option(
            names = "--precision",
            paramLabel = "SHARE",
            description = "With --goal: half width of the bracket to aim at (default 5%%).")
    private @Nullable String precision;

    @Option(
            names = "--start",
            paramLabel = "RATE",
            description =
                    "With --goal: the last known knee, in requests per second; tested once below"
                            + " it and once above.")
    private @Nullable String start;

    /// @param ofPlan search that the plan defines
    public Optional<Plan.GoalSearch> search(Optional<Plan.GoalSearch> ofPlan, Problems problems) {
        if (goal == null && ofPlan.isEmpty()) {
            needsGoal("--budget", budget, problems);
            needsGoal("--precision", precision, problems);
            needsGoal("--start", start, problems);
            return Optional.empty();
        }
        List<Goal> goals =
                goal == null
                        ? ofPlan.map(Plan.GoalSearch::goals).orElseGet(List::of)
                        : goals(goal, problems);
        Optional<Duration> wanted =
                OptionTexts.optional("--budget", budget, GoalText::budget, problems);
        Optional<Double> width =
                OptionTexts.optional("--precision", precision, GoalText::precision, problems);
        Optional<Double> known = OptionTexts.optional("--start", start, GoalText::rate, problems);
        return Optional.of(
                new Plan.GoalSearch(
                        goals,
                        wanted.or(() -> ofPlan.flatMap(Plan.GoalSearch::budget)),
                        width.or(() -> ofPlan.map(Plan.GoalSearch::precision))
                                .orElse(Plan.GoalSearch.PRECISION),
                        known.map(OptionalDouble::of)
                                .orElseGet(() ->
                                        ofPlan.map(Plan.GoalSearch::start)
                                                .orElseGet(OptionalDouble::empty))));
    }

    private static List<Goal> goals(String text, Problems problems) {
        var found = new Problems();
        List<Goal> goals = GoalText.parse(text, found);
        found.list().forEach(p -> problems.add("--goal " + p.where(), p.what(), p.fix()));
        return goals;
    }

    private static void needsGoal(String option, @Nullable String given, Problems problems) {
        if (given != null) {
            problems.add(option, "there is no goal to search under", "add --goal 'p99<100ms'");
        }
    }
}
