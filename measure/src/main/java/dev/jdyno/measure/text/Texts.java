package dev.jdyno.measure.text;

import java.util.Locale;

/// Texts with figures in them, the same in every locale.
public final class Texts {
    private Texts() {}

    /// Formats a text, as {@link String#format} does.
    public static String say(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
