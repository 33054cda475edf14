package dev.jdyno.serve.mcp;

import dev.jdyno.measure.text.UserError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The arguments of a call. Their types are already checked against the tool's schema.
///
/// @param values arguments as received
record Arguments(Map<String, Object> values) {
    /// Maximum length of a name, id or path.
    private static final int MAX_LETTERS = 1024;

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(value -> line(name, value));
    }

    private static String line(String name, @Nullable Object value) {
        if (!(value instanceof String text)
                || text.isBlank()
                || text.length() > MAX_LETTERS
                || text.chars().anyMatch(Character::isISOControl)) {
            throw UserError.usage(
                    name,
                    "it is no text of one line with at most " + MAX_LETTERS + " letters",
                    "see the tool's inputSchema");
        }
        return text;
    }

    /// A list with at least one text.
    ///
    /// @param max maximum length of the list
    List<String> texts(String name, int max) {
        if (!(values.get(name) instanceof List<?> list) || list.isEmpty() || list.size() > max) {
            throw UserError.usage(
                    name, "it is no list of 1 to " + max + " texts", "see the tool's inputSchema");
        }
        return list.stream().map(value -> line(name, value)).toList();
    }

    String needed(String name) {
        return text(name)
                .orElseThrow(() ->
                        UserError.usage(
                                name + " is missing",
                                "the tool needs it",
                                "see the tool's inputSchema"));
    }

    Optional<Long> whole(String name, long min, long max) {
        Object value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof Number number)
                || number.doubleValue() != number.longValue()
                || number.longValue() < min
                || number.longValue() > max) {
            throw UserError.usage(
                    name + " " + value,
                    "it is no whole number from " + min + " to " + max,
                    "see the tool's inputSchema");
        }
        return Optional.of(number.longValue());
    }

    Optional<Double> positive(String name) {
        Object value = values.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof Number number) || !(number.doubleValue() > 0)) {
            throw UserError.usage(
                    name + " " + value, "it is no number above 0", "see the tool's inputSchema");
        }
        return Optional.of(number.doubleValue());
    }

    /// @throws UserError unless exactly one of the two is given
    void oneOf(String a, String b) {
        if (values.containsKey(a) == values.containsKey(b)) {
            throw UserError.usage(
                    a + " or " + b, "exactly one of them says what is meant", "give one");
        }
    }
}
