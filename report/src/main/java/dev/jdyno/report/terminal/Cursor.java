package dev.jdyno.report.terminal;

/// Movements of a terminal's cursor, for lines that are overwritten; marked as jdyno's own like
/// {@link Ink}.
public final class Cursor {
    private Cursor() {}

    /// Moves up by this number of lines, in the same column.
    public static String up(int lines) {
        return EscapeMark.text() + "[" + lines + "A";
    }

    /// Moves the cursor to the start of the line.
    public static String lineStart() {
        return EscapeMark.text() + "\r";
    }

    /// Erases from the cursor to the end of the line, without moving.
    public static String eraseRest() {
        return EscapeMark.text() + "[K";
    }
}
