package dev.jdyno.instance;

import dev.jdyno.measure.load.Goal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What an instance must hold, and where its size is searched.
///
/// @param ratePerS requests per second that an instance gets
/// @param reserve share of the instance's capacity that must be left free at this rate, 0…0.9
/// @param goals goals that hold at the tested rate
/// @param grid sizes that may be tested
/// @param price prices, for the cost of a size; empty without
/// @param budget time for all tests
public record SizeWish(
        double ratePerS,
        double reserve,
        List<Goal> goals,
        SizeGrid grid,
        Optional<Price> price,
        Duration budget) {
    private static final double MAX_RESERVE = 0.9;

    private static final Pattern SHARE =
            Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?|\\.\\d{1,3})\\s*(%?)");

    public SizeWish {
        goals = List.copyOf(goals);
        if (!(ratePerS > 0) || !(reserve >= 0 && reserve <= MAX_RESERVE) || goals.isEmpty()) {
            throw new IllegalArgumentException("a size needs a rate, a reserve and a goal");
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

    /// The rate that is sent. With a reserve of 20 %, an instance that holds 800/s must hold
    /// 1000/s.
    public double testedRatePerS() {
        return ratePerS / (1 - reserve);
    }
}
