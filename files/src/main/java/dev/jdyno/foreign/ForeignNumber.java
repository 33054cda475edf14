package dev.jdyno.foreign;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Numbers from an untrusted source. A pattern such as `\d+` also matches thirty digits, which no
/// `long` can hold. A text that is not a number gives an empty result, never an exception.
public final class ForeignNumber {
    /// Number of decimal digits that always fit into a long.
    private static final int MAX_DIGITS = 18;

    private static final Pattern DECIMAL = Pattern.compile("\\d{1,30}(?:\\.\\d{0,30})?");

    private ForeignNumber() {}

    /// A number of up to 18 decimal digits; empty for any other text.
    public static OptionalLong whole(String text) {
        return whole(text, 10);
    }

    /// A hexadecimal number, such as `0x7f3a` or `7f3a`; empty for any other text.
    public static OptionalLong hexadecimal(String text) {
        return whole(text.startsWith("0x") ? text.substring(2) : text, 16);
    }

    private static OptionalLong whole(String text, int base) {
        int max = base == 16 ? 15 : MAX_DIGITS;
        if (text.isEmpty() || text.length() > max) {
            return OptionalLong.empty();
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 'f' || Character.digit(text.charAt(i), base) < 0) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(Long.parseLong(text, base));
    }

    /// A decimal number, such as `12` or `12.5`; empty for any other text.
    public static OptionalDouble decimal(String text) {
        return DECIMAL.matcher(text).matches()
                ? OptionalDouble.of(Double.parseDouble(text))
                : OptionalDouble.empty();
    }
}
