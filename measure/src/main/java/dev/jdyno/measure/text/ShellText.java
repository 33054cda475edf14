package dev.jdyno.measure.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Words of a command that a user copies into a shell.
public final class ShellText {
    // one that begins with - would be an option, and with ~ another folder
    private static final Pattern PLAIN = Pattern.compile("[\\w./][\\w./:@%+=,-]*");

    private ShellText() {}

    /// A word as the shell takes it: in quotes where it needs some.
    public static String word(String text) {
        return PLAIN.matcher(text).matches() ? text : quoted(text);
    }

    /// Words with a blank between them, each as the shell takes it.
    public static String words(List<String> texts) {
        return texts.stream()
                .map(t -> t.startsWith("--") ? option(t) : word(t))
                .collect(Collectors.joining(" "));
    }

    private static String option(String text) {
        return PLAIN.matcher(text.substring(2)).matches() ? text : quoted(text);
    }

    /// In quotes, whatever it is.
    public static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
