package dev.jdyno.measure.text;

import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/// Decides which characters may be shown, and removes the others from texts.
///
/// Thread names, URLs, headers, logs and command lines come from the service or from its peers. A
/// terminal, an editor or a browser obeys some characters instead of showing them: escape sequences
/// (ESC, and the one-character CSI and OSC of C1), the marks that change the writing direction, and
/// characters without width. Such text can hide what is on the screen, recolour it, or make the
/// terminal type answers into the shell.
public final class Printable {
    /// The character shown in place of one that a terminal would obey.
    public static final char REPLACEMENT = '\ufffd';

    private static final int PLANE_END = 0xfffe;
    private static final int NO_CHARACTERS_FROM = 0xfdd0;
    private static final int NO_CHARACTERS_TO = 0xfdef;

    private Printable() {}

    /// True if terminals obey the character instead of showing it. Such characters are control
    /// characters including line ends and tab, format characters (bidirectional, zero width), and
    /// the two separators of Unicode. Halves of surrogate pairs and code points that are not
    /// characters count, too.
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

    /// True if a text of several lines may contain the character.
    public static boolean isInText(int character) {
        return character == '\n' || character == '\t' || !isObeyed(character);
    }

    /// The text as one line. Each control character is replaced, including line ends and tabs, so
    /// that foreign text cannot start a new line.
    public static String line(String text) {
        return without(text, c -> !isObeyed(c));
    }

    /// Text of several lines: line ends and tabs stay, other characters that would be obeyed are
    /// replaced.
    public static String text(String text) {
        return without(text, Printable::isInText);
    }

    /// Text from outside (a lock's class, a host, a flag) as a part of a line. A run of characters
    /// that a terminal would obey, including line ends and tabs, becomes one blank.
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

    /// A JSON document in which characters that a terminal obeys are hexadecimal escapes. The
    /// content stays the same. Outside its strings, JSON contains only line ends and tabs of these
    /// characters, and these stay.
    public static String json(String document) {
        return with(document, c -> c == '\r' || isInText(c), Printable::escaped);
    }

    /// A character as an escape in a JSON string. Readers reject half of a surrogate pair, so it
    /// becomes the replacement character.
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

    /// Index of the next character that must be replaced; the length of the text if none must be.
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
