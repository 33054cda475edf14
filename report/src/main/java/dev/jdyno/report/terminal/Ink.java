package dev.jdyno.report.terminal;

/// Text styles of a terminal. Their escape sequences carry jdyno's own mark, and {@link
/// TerminalWriter} turns them into real escape sequences.
public enum Ink {
    BOLD("1"),
    DIM("2"),
    GREEN("32"),
    YELLOW("33"),
    RED("1;31");

    private static final String PLAIN = "[0m";

    private final String start;

    Ink(String parameters) {
        start = "[" + parameters + "m";
    }

    public String on(String text) {
        return EscapeMark.text() + start + text + EscapeMark.text() + PLAIN;
    }

    /// Marks the escape sequences of a text that consists of jdyno's own words only, such as the
    /// usage help.
    public static String ours(String text) {
        return text.indexOf('\u001b') < 0 ? text : text.replace("\u001b", EscapeMark.text());
    }
}
