package dev.jdyno.driver;

import dev.jdyno.foreign.Malformed;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Values in a text that a program printed for human readers.
record Printed(String text) {
    /// Value of a figure that a program does not print.
    static final double UNKNOWN = Double.NaN;

    private static final Map<String, Double> MS =
            Map.of("us", 1e-3, "ms", 1.0, "s", 1e3, "m", 60e3, "h", 3600e3);

    private static final Pattern TIME = Pattern.compile("([0-9.]{1,20})(us|ms|s|m|h)");

    /// The first group of the first match.
    Optional<String> first(Pattern pattern) {
        Matcher m = pattern.matcher(text);
        return m.find() ? Optional.of(m.group(1)) : Optional.empty();
    }

    /// @throws Malformed if it is there and not a number
    Optional<Double> number(Pattern pattern) throws Malformed {
        Optional<String> found = first(pattern);
        return found.isEmpty() ? Optional.empty() : Optional.of(number(found.get()));
    }

    /// @throws Malformed if it is there and not a number
    long count(Pattern pattern) throws Malformed {
        return Math.round(number(pattern).orElse(0.0));
    }

    static double number(String text) throws Malformed {
        try {
            double value = Double.parseDouble(text.trim());
            if (Double.isFinite(value) && value >= 0) {
                return value;
            }
        } catch (NumberFormatException no) {
            // reported below
        }
        throw Malformed.of("a value that is no number of at least 0");
    }

    /// A time as wrk prints it, `2.68ms`, in ms.
    static double ms(String text) throws Malformed {
        Matcher m = TIME.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!m.matches()) {
            throw Malformed.of("a time that is not written as 2.68ms");
        }
        return number(m.group(1)) * MS.getOrDefault(m.group(2), 1.0);
    }
}
