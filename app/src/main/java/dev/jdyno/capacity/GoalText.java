package dev.jdyno.capacity;

import dev.jdyno.measure.Durations;
import dev.jdyno.measure.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Goals as users write them: `p99<100ms,errors<0.1%`.
public final class GoalText {
    // p99.9<1.5s
    private static final Pattern RT = Pattern.compile("p(\\d{1,2}(?:\\.\\d+)?)\\s*<=?\\s*(\\S+)");
    // errors<0.1%
    private static final Pattern ERRORS =
            Pattern.compile("errors\\s*<=?\\s*(\\d+(?:\\.\\d+)?)\\s*%");

    private GoalText() {}

    /// Every mistake goes into `problems`.
    public static List<Goal> parse(String text, Problems problems) {
        List<Goal> goals = new ArrayList<>();
        for (String part : text.split(",", -1)) {
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
                problems.add(
                        "'" + goal + "'",
                        "not a goal",
                        "write p99<100ms or errors<0.1%, by commas");
            }
        }
        return goals;
    }

    private static void responseTime(String goal, Matcher rt, List<Goal> goals, Problems problems) {
        double quantile = Double.parseDouble(rt.group(1)) / 100;
        if (quantile <= 0) {
            problems.add(goal, "a percentile between 0 and 100 is needed", "write p99<100ms");
            return;
        }
        double ms;
        try {
            ms = Durations.seconds(Durations.parse(rt.group(2))) * 1000;
        } catch (IllegalArgumentException notADuration) {
            problems.add(goal, String.valueOf(notADuration.getMessage()), "write p99<100ms");
            return;
        }
        if (ms <= 0) {
            problems.add(goal, "no request takes no time", "write p99<100ms");
            return;
        }
        goals.add(Goal.responseTime(goal, quantile, ms));
    }
}
