package dev.jdyno.plan;

import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.Durations;
import dev.jdyno.measure.text.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Goals as users write them, `p99<100ms,ttfb.p99<50ms,errors<0.1%`, and the budget of a search for
/// them.
public final class GoalText {
    public static final String FORM =
            "write p99<100ms, ttfb.p99<50ms or errors<0.1%, several by commas";

    // a goal for response times: p99.9<1.5s, ttfb.p99<50ms
    private static final Pattern RT =
            Pattern.compile("(ttfb\\.)?p(\\d{1,3}(?:\\.\\d+)?)\\s*<=?\\s*(\\S+)");
    // a goal for failed requests: errors<0.1%
    private static final Pattern ERRORS =
            Pattern.compile("errors\\s*<=?\\s*(\\d+(?:\\.\\d+)?)\\s*%");
    // requests per second: 450/s
    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(?:/s)?");

    /// Minimum half width of a bracket that a user may ask for, as a share of the rate. No service
    /// is constant enough for a narrower one.
    private static final double MIN_PRECISION = 0.01;

    /// Maximum half width of a bracket that a user may ask for. A wider one is not a useful answer.
    private static final double MAX_PRECISION = 0.5;

    /// Minimum confidence: more likely than not. The maximum below is the most that a noise model
    /// can support.
    private static final double MIN_CONFIDENCE = 0.5;

    private static final double MAX_CONFIDENCE = 0.999;

    /// Maximum number of goals, because each is compared with all others.
    private static final int MAX_GOALS = 100;

    /// Tolerance for equal percentiles: 1 - 0.99 can differ in its last digits from the same
    /// percentile in another notation.
    private static final double SAME_SHARE = 1e-9;

    private GoalText() {}

    /// Parses the goals; every mistake goes into `problems`.
    public static List<Goal> parse(String text, Problems problems) {
        List<Goal> goals = new ArrayList<>();
        String[] parts = text.split(",", -1);
        if (parts.length > MAX_GOALS) {
            problems.add(
                    parts.length + " goals", "at most " + MAX_GOALS + " are searched for", FORM);
            return goals;
        }
        for (String part : parts) {
            String goal = part.trim();
            Matcher rt = RT.matcher(goal);
            Matcher errors = ERRORS.matcher(goal);
            if (rt.matches()) {
                responseTime(goal, rt, goals, problems);
            } else if (errors.matches()) {
                double share = Double.parseDouble(errors.group(1)) / 100;
                if (share > 0 && share < 1) {
                    goals.add(new Goal(goal, share, OptionalDouble.empty()));
                } else {
                    problems.add(goal, "not a share between 0 and 100 %", "write errors<0.1%");
                }
            } else {
                problems.add("'" + goal + "'", "not a goal", FORM);
            }
        }
        twice(goals, problems);
        return goals;
    }

    /// Reports two limits for one percentile, because the looser one has no effect.
    private static void twice(List<Goal> goals, Problems problems) {
        for (int i = 0; i < goals.size(); i++) {
            for (Goal before : goals.subList(0, i)) {
                Goal goal = goals.get(i);
                if (before.firstByte() == goal.firstByte()
                        && before.limitMs().isPresent() == goal.limitMs().isPresent()
                        && (goal.limitMs().isEmpty()
                                || Math.abs(before.allowedShare() - goal.allowedShare())
                                        < SAME_SHARE)) {
                    problems.add(
                            goal.name(),
                            "a limit for the same is given before: " + before.name(),
                            "keep the stricter one");
                }
            }
        }
    }

    /// Parses goals for callers that report all mistakes as one exception.
    ///
    /// @throws IllegalArgumentException with all mistakes
    public static List<Goal> goals(String text) {
        var problems = new Problems();
        List<Goal> goals = parse(text, problems);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    problems.list().stream()
                            .map(p -> p.where() + ": " + p.what())
                            .collect(Collectors.joining("; ")));
        }
        return goals;
    }

    /// @throws IllegalArgumentException if the budget is too short for a bracket
    public static Duration budget(String text) {
        Duration budget = Durations.parse(text);
        if (budget.compareTo(Plan.GoalSearch.MIN_BUDGET) < 0) {
            throw new IllegalArgumentException(
                    "a rate takes a minute to be called good and another 40 s to be called bad, so "
                            + text.trim()
                            + " gives no bracket: write "
                            + Durations.format(Plan.GoalSearch.MIN_BUDGET)
                            + " or more");
        }
        return budget;
    }

    /// Parses the half width of the bracket: `5%` or `0.05`.
    public static double precision(String text) {
        double share = PlanValues.share(text);
        if (share < MIN_PRECISION || share > MAX_PRECISION) {
            throw new IllegalArgumentException("'" + text.trim() + "' is not between 1 % and 50 %");
        }
        return share;
    }

    /// Parses a probability: `95%` or `0.95`.
    public static double confidence(String text) {
        double share = PlanValues.share(text);
        if (!(share > MIN_CONFIDENCE && share <= MAX_CONFIDENCE)) {
            throw new IllegalArgumentException(
                    "'" + text.trim() + "' is not between 50 % and 99.9 %");
        }
        return share;
    }

    /// Parses a rate in requests per second: `450` or `450/s`.
    public static double rate(String text) {
        Matcher m = RATE.matcher(text.trim());
        if (!m.matches() || !(Double.parseDouble(m.group(1)) > 0)) {
            throw new IllegalArgumentException(
                    "'" + text.trim() + "' is not a positive rate per second");
        }
        return Double.parseDouble(m.group(1));
    }

    private static void responseTime(String goal, Matcher rt, List<Goal> goals, Problems problems) {
        double quantile = Double.parseDouble(rt.group(2)) / 100;
        if (quantile <= 0 || quantile >= 1) {
            problems.add(
                    goal,
                    quantile == 1
                            ? "no load shows that not one request will be slow"
                            : "a percentile between 0 and 100 is needed",
                    "write p99<100ms or p99.9<100ms");
            return;
        }
        double ms;
        try {
            ms = Durations.seconds(Durations.parse(rt.group(3))) * 1000;
        } catch (IllegalArgumentException notADuration) {
            problems.add(goal, String.valueOf(notADuration.getMessage()), "write p99<100ms");
            return;
        }
        if (ms <= 0) {
            problems.add(goal, "no request takes no time", "write p99<100ms");
            return;
        }
        goals.add(
                rt.group(1) == null
                        ? Goal.responseTime(goal, quantile, ms)
                        : Goal.firstByte(goal, quantile, ms));
    }
}
