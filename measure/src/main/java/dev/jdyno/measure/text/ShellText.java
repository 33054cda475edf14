package dev.jdyno.measure.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Words of a command that a user copies into a shell.
public final class ShellText {
    // a plain word needs no quotes; it must not start with -, which marks an option, or ~, a home
    // folder
    private static final Pattern PLAIN = Pattern.compile("[\\w./][\\w./:@%+=,-]*");

    private ShellText() {}

    /// A word in shell syntax: in quotes if necessary.
    public static String word(String text) {
        return PLAIN.matcher(text).matches() ? text : quoted(text);
    }

    /// Words in shell syntax, separated by blanks.
    public static String words(List<String> texts) {
        return texts.stream()
                .map(t -> t.startsWith("--") ? option(t) : word(t))
                .collect(Collectors.joining(" "));
    }

    private static String option(String text) {
        return PLAIN.matcher(text.substring(2)).matches() ? text : quoted(text);
    }

    /// A word that is always in quotes.
    public static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
