package dev.jdyno.series.file;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The number format of a column. `1,234` has two meanings, and only the rest of the column shows
/// which one applies.
enum Notation {
    /// A decimal point, and commas between thousands: `1,234.5`.
    POINT("\\.", ",'"),
    /// A decimal comma, and points between thousands: `1.234,5`.
    COMMA(",", ".'");

    /// Maximum length of a number.
    private static final int LONGEST = 64;

    private final Pattern number;

    Notation(String decimal, String groups) {
        // spaces group thousands, too, including non-breaking spaces
        String grouped = "[1-9][0-9]{0,2}(?:(?<by>[" + groups + " \u00a0\u202f])[0-9]{3})";
        this.number =
                Pattern.compile(
                        "(?<sign>[+-]?)(?<whole>[0-9]+|"
                                + grouped
                                + "(?:\\k<by>[0-9]{3})*|(?="
                                + decimal
                                + "[0-9]))(?:"
                                + decimal
                                + "(?<rest>[0-9]*))?(?<power>[eE][+-]?[0-9]{1,4})?");
    }

    /// Returns the value; empty if the text is not a finite number in this format.
    Optional<Double> value(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        Matcher parts = number.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String rest = parts.group("rest");
        String power = parts.group("power");
        double value =
                Double.parseDouble(
                        parts.group("sign")
                                + "0"
                                + parts.group("whole").replaceAll("[^0-9]", "")
                                + "."
                                + (rest == null ? "" : rest)
                                + "0"
                                + (power == null ? "" : power));
        return Double.isFinite(value) ? Optional.of(value) : Optional.empty();
    }

    /// True if a text is a number in any of the formats.
    static boolean isNumber(String text) {
        return Arrays.stream(values()).anyMatch(n -> n.value(text).isPresent());
    }

    /// Returns the format of all cells of a column; empty if it is ambiguous.
    ///
    /// @param commaSeparates whether commas separate cells; a comma within a cell then groups
    ///   thousands
    static Optional<Notation> of(List<String> cells, boolean commaSeparates) {
        List<String> numbers = cells.stream().filter(Notation::isNumber).toList();
        boolean point = numbers.stream().allMatch(c -> POINT.value(c).isPresent());
        boolean comma = numbers.stream().allMatch(c -> COMMA.value(c).isPresent());
        if (point && comma) {
            boolean clear = commaSeparates || numbers.stream().noneMatch(c -> c.contains(","));
            return clear ? Optional.of(POINT) : Optional.empty();
        }
        return point ? Optional.of(POINT) : comma ? Optional.of(COMMA) : Optional.empty();
    }
}
