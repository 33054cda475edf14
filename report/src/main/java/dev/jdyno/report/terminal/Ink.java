package dev.jdyno.report.terminal;

/// How a text stands out on a terminal. The escape sequences are marked as ours: only {@link
/// TerminalWriter} makes them what a terminal obeys.
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

    /// A text without a word of others in it, such as the usage help: its escape sequences are
    /// ours.
    public static String ours(String text) {
        return text.indexOf('\u001b') < 0 ? text : text.replace("\u001b", EscapeMark.text());
    }
}
