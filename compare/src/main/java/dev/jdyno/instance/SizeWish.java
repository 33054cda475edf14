package dev.jdyno.instance;

import dev.jdyno.measure.load.Goal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What an instance must hold, and where its size is searched.
///
/// @param ratePerS requests per second that all replicas get together
/// @param replicas number of instances that share the rate equally, 1 to {@link #MAX_REPLICAS}
/// @param reserve share of the instance's capacity that must be left free at this rate, 0…0.9
/// @param goals goals that hold at the tested rate
/// @param grid sizes that may be tested
/// @param price prices, for the cost of a size; empty without
/// @param budget time for all tests
public record SizeWish(
        double ratePerS,
        int replicas,
        double reserve,
        List<Goal> goals,
        SizeGrid grid,
        Optional<Price> price,
        Duration budget) {
    public static final int MAX_REPLICAS = 10_000;

    private static final double MAX_RESERVE = 0.9;

    private static final Pattern SHARE =
            Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?|\\.\\d{1,3})\\s*(%?)");

    public SizeWish {
        goals = List.copyOf(goals);
        if (!(ratePerS > 0)
                || !(replicas >= 1 && replicas <= MAX_REPLICAS)
                || !(reserve >= 0 && reserve <= MAX_RESERVE)
                || goals.isEmpty()) {
            throw new IllegalArgumentException(
                    "a size needs a rate, a number of replicas, a reserve and a goal");
        }
    }

    /// A reserve: `20%` or `0.2`.
    ///
    /// @throws IllegalArgumentException if the text is not a share from 0 to 90 %
    public static double reserve(String text) {
        Matcher m = SHARE.matcher(text.strip());
        double share =
                m.matches()
                        ? Double.parseDouble(m.group(1)) / (m.group(2).isEmpty() ? 1 : 100)
                        : Double.NaN;
        if (!(share >= 0 && share <= MAX_RESERVE)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a share from 0 to 90 %: write 20%");
        }
        return share;
    }

    /// Requests per second that an instance gets.
    public double instanceRatePerS() {
        return ratePerS / replicas;
    }

    /// The rate that is sent to an instance. With a reserve of 20 %, an instance that gets 800/s
    /// must hold 1000/s.
    public double testedRatePerS() {
        return instanceRatePerS() / (1 - reserve);
    }

    /// The shortest response-time limit of the goals, in ms; infinite if none has one.
    double strictestLimitMs() {
        return goals.stream()
                .map(Goal::limitMs)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }
}
