package dev.jdyno.report.terminal;

/// Movements of a terminal's cursor, for what is written over; marked as ours like {@link Ink}.
public final class Cursor {
    private Cursor() {}

    /// So many lines up, in the same column.
    public static String up(int lines) {
        return EscapeMark.text() + "[" + lines + "A";
    }

    /// To the start of the line.
    public static String lineStart() {
        return EscapeMark.text() + "\r";
    }

    /// Nowhere; what stands from here to the end of the line goes.
    public static String eraseRest() {
        return EscapeMark.text() + "[K";
    }
}
