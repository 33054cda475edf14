package dev.jdyno.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Goals that a round keeps or breaks, in the syntax of the command: `p99<100ms,errors<0.1%`.
record Goals(String text, List<Predicate<Round>> all) {
    private static final Pattern RT =
            Pattern.compile("(p50|p90|p99|p99\\.9|mean)\\s*<=?\\s*(\\d+(?:\\.\\d+)?)\\s*(us|ms|s)");
    private static final Pattern ERRORS =
            Pattern.compile("errors\\s*<=?\\s*(\\d+(?:\\.\\d+)?)\\s*%");

    /// @throws IllegalArgumentException when the text is not a list of such goals
    static Goals of(String text) {
        List<Predicate<Round>> goals = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            goals.add(goal(part.trim()));
        }
        return new Goals(text, List.copyOf(goals));
    }

    /// True if these are the same goals, in any order.
    boolean isSame(List<String> others) {
        return plain(List.of(text.split(","))).equals(plain(others));
    }

    private static Set<String> plain(List<String> goals) {
        return goals.stream().map(g -> g.replaceAll("\\s|=", "")).collect(Collectors.toSet());
    }

    boolean isKept(Round round) {
        return all.stream().allMatch(g -> g.test(round));
    }

    private static Predicate<Round> goal(String text) {
        Matcher errors = ERRORS.matcher(text);
        if (errors.matches()) {
            double share = Double.parseDouble(errors.group(1)) / 100;
            return r -> r.errorShare() <= share;
        }
        Matcher rt = RT.matcher(text);
        if (!rt.matches()) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is not a goal: write p50, p90, p99, p99.9 or mean, as in"
                            + " p99<100ms, or errors<0.1%");
        }
        double limit = Double.parseDouble(rt.group(2)) * ms(rt.group(3));
        ToDoubleFunction<Round> figure = figure(rt.group(1));
        return r -> figure.applyAsDouble(r) <= limit;
    }

    private static double ms(String unit) {
        return unit.equals("us") ? 0.001 : unit.equals("ms") ? 1 : 1000;
    }

    private static ToDoubleFunction<Round> figure(String name) {
        return switch (name) {
            case "p50" -> Round::p50Ms;
            case "p90" -> Round::p90Ms;
            case "p99" -> Round::p99Ms;
            case "mean" -> Round::meanMs;
            default -> Round::p999Ms;
        };
    }
}
