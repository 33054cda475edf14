package dev.jdyno.report.terminal;

import dev.jdyno.measure.text.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/// Standard output or standard error. Text from other sources cannot control the terminal through
/// it.
///
/// Every character that would control a terminal is replaced ({@link Printable}), except line ends
/// and tabs. The marks of {@link Ink} and {@link Cursor} become the escape sequences of a terminal.
public final class TerminalWriter extends Writer {
    /// The form in which a forbidden character is shown.
    public enum Form {
        /// Shows the replacement character for each forbidden character, so that the length of a
        /// line stays the same.
        TEXT,
        /// Writes a JSON escape, which loses no information.
        JSON
    }

    private static final char ESCAPE = '\u001b';

    private final Writer to;
    private final Form form;

    /// The cleaned text of one call.
    private final StringBuilder clean = new StringBuilder();

    /// The last characters read. They are held back because they may be the beginning of an {@link
    /// EscapeMark}, and are at most as many as the mark has.
    private final StringBuilder held = new StringBuilder(EscapeMark.LENGTH + 1);

    /// First half of a surrogate pair whose second half is still to come; 0 if there is none.
    private char high;

    /// True if a carriage return was read and the next character is still to come.
    private boolean returned;

    private TerminalWriter(Writer to, Form form) {
        this.to = to;
        this.form = form;
    }

    /// @return a writer that flushes at each line end, as standard output and error do
    public static PrintWriter over(Writer to, Form form) {
        return new PrintWriter(new TerminalWriter(to, form), true);
    }

    @Override
    public void write(char[] text, int from, int count) throws IOException {
        synchronized (lock) {
            for (int i = from; i < from + count; i++) {
                take(text[i]);
            }
            emit();
        }
    }

    private void emit() throws IOException {
        if (!clean.isEmpty()) {
            to.append(clean);
            clean.setLength(0);
        }
    }

    private void take(char c) {
        if (returned) {
            returned = false;
            if (c == '\n') {
                clean.append("\r\n");
                return;
            }
            obeyed('\r');
        }
        if (high != 0) {
            char first = high;
            high = 0;
            if (Character.isLowSurrogate(c)) {
                show(Character.toCodePoint(first, c));
                return;
            }
            obeyed(first);
        }
        if (EscapeMark.has(c)) {
            hold(c);
        } else if (held.isEmpty() || !ours(c)) {
            plain(c);
        }
    }

    /// Holds back a character that may belong to an {@link EscapeMark}. Writes the oldest held
    /// character if more are held than the mark has.
    private void hold(char c) {
        held.append(c);
        if (held.length() > EscapeMark.LENGTH) {
            obeyed(held.charAt(0));
            held.deleteCharAt(0);
        }
    }

    /// Writes the held characters. If they are the {@link EscapeMark}, writes an escape character
    /// instead.
    ///
    /// @return true if they were the mark and `c` belongs to it
    private boolean ours(char c) {
        boolean marked = (c == '[' || c == '\r') && EscapeMark.is(held);
        if (marked && c == '[') {
            clean.append(ESCAPE).append(c);
        } else if (marked) {
            clean.append(c);
        } else {
            held.chars().forEach(this::obeyed);
        }
        held.setLength(0);
        return marked;
    }

    private void plain(char c) {
        if (c == '\r') {
            returned = true;
        } else if (Character.isHighSurrogate(c)) {
            high = c;
        } else {
            show(c);
        }
    }

    private void show(int character) {
        if (Printable.isInText(character)) {
            clean.appendCodePoint(character);
        } else {
            obeyed(character);
        }
    }

    private void obeyed(int character) {
        switch (form) {
            case TEXT -> clean.append(Printable.REPLACEMENT);
            case JSON -> clean.append(Printable.escaped(character));
        }
    }

    @Override
    public void flush() throws IOException {
        to.flush();
    }

    @Override
    public void close() throws IOException {
        synchronized (lock) {
            if (returned) {
                obeyed('\r');
            }
            if (high != 0) {
                obeyed(high);
            }
            held.chars().forEach(this::obeyed);
            emit();
            to.close();
        }
    }
}
