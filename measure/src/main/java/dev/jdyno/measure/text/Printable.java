package dev.jdyno.measure.text;

import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/// Which characters may be shown, and text without the others.
///
/// Thread names, URLs, headers, logs and command lines come from the service or from its peers. A
/// terminal, an editor or a browser obeys some characters rather than show them: escape sequences
/// (ESC, and the one-character CSI and OSC of C1), the marks that turn the writing direction, and
/// characters that take no room. Such text can hide what stands on the screen, recolour it, or have
/// the terminal type answers into the shell.
public final class Printable {
    /// What stands for a character that is not shown.
    public static final char REPLACEMENT = '\ufffd';

    private static final int PLANE_END = 0xfffe;
    private static final int NO_CHARACTERS_FROM = 0xfdd0;
    private static final int NO_CHARACTERS_TO = 0xfdef;

    private Printable() {}

    /// Whether a character is obeyed rather than shown: control characters with line ends and tab
    /// among them, format characters (bidirectional, zero width), the two separators of Unicode,
    /// halves of surrogate pairs, and numbers that are no character at all.
    public static boolean isObeyed(int character) {
        if (character >= ' ' && character <= '~') {
            return false;
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    true;
            case Character.UNASSIGNED ->
                    (character & PLANE_END) == PLANE_END
                            || (character >= NO_CHARACTERS_FROM && character <= NO_CHARACTERS_TO);
            default -> false;
        };
    }

    /// Whether a text of several lines may hold it.
    public static boolean isInText(int character) {
        return character == '\n' || character == '\t' || !isObeyed(character);
    }

    /// One line: each character that would be obeyed is replaced, line ends and tabs too, so that
    /// the text of another cannot make a line of its own.
    public static String line(String text) {
        return without(text, c -> !isObeyed(c));
    }

    /// Text of several lines: line ends and tabs stay.
    public static String text(String text) {
        return without(text, Printable::isInText);
    }

    /// Text from outside (a lock's class, a host, a flag) as a part of a line: one blank stands for
    /// a run of characters that a terminal would obey, line ends and tabs among them.
    public static String plain(String text) {
        var plain = new StringBuilder(text.length());
        boolean gap = false;
        for (int c : text.codePoints().toArray()) {
            if (!isObeyed(c)) {
                plain.appendCodePoint(c);
            } else if (!gap) {
                plain.append(' ');
            }
            gap = isObeyed(c);
        }
        return plain.toString().strip();
    }

    /// A JSON document with those characters written by their numbers in hex. No character is lost:
    /// outside of its strings JSON has none of them but line ends and tabs, which stay.
    public static String json(String document) {
        return with(document, c -> c == '\r' || isInText(c), Printable::escaped);
    }

    /// A character as a JSON string may spell it. Half of a pair is none that a reader would take:
    /// the replacement character stands for it.
    public static String escaped(int character) {
        boolean half = Character.getType(character) == Character.SURROGATE;
        var text = new StringBuilder();
        for (char unit : Character.toChars(half ? REPLACEMENT : character)) {
            text.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        }
        return text.toString();
    }

    private static String without(String text, IntPredicate stays) {
        return with(text, stays, _ -> String.valueOf(REPLACEMENT));
    }

    private static String with(String text, IntPredicate stays, IntFunction<String> instead) {
        int goes = next(text, 0, stays);
        if (goes == text.length()) {
            return text;
        }
        var clean = new StringBuilder(text.length() + 64);
        int from = 0;
        while (goes < text.length()) {
            int c = text.codePointAt(goes);
            clean.append(text, from, goes).append(instead.apply(c));
            from = goes + Character.charCount(c);
            goes = next(text, from, stays);
        }
        return clean.append(text, from, text.length()).toString();
    }

    /// Where the next character is that does not stay; the length where all do.
    private static int next(String text, int from, IntPredicate stays) {
        int at = from;
        while (at < text.length()) {
            int c = text.codePointAt(at);
            if (!stays.test(c)) {
                return at;
            }
            at += Character.charCount(c);
        }
        return at;
    }
}
