package dev.jdyno.load.wire;

import java.nio.charset.StandardCharsets;

/// A short printable part of what a server sent: printable ASCII with everything else escaped as in
/// C, cut at a fixed length. All bytes of a peer that an error shows pass through here, so that no
/// reply can fill or control a terminal or a file.
public final class Excerpt {
    /// Maximum number of characters of an excerpt, with the mark for a cut.
    public static final int LONGEST = 100;

    private static final String CUT = "...";

    private Excerpt() {}

    public static String of(byte[] b, int from, int to) {
        var text = new StringBuilder(LONGEST);
        for (int i = from; i < to; i++) {
            String next = escaped(b[i] & 0xff);
            if (text.length() + next.length() > LONGEST - CUT.length()) {
                return text.append(CUT).toString();
            }
            text.append(next);
        }
        return text.toString();
    }

    /// Returns a short printable part of a text. Characters beyond Latin-1 become `?`.
    public static String of(String text) {
        // one more character than can be shown, so that truncated text is marked
        String start = text.substring(0, Math.min(text.length(), LONGEST + 1));
        byte[] bytes = start.getBytes(StandardCharsets.ISO_8859_1);
        return of(bytes, 0, bytes.length);
    }

    private static String escaped(int c) {
        return switch (c) {
            case '\r' -> "\\r";
            case '\n' -> "\\n";
            case '\t' -> "\\t";
            case '\\' -> "\\\\";
            default -> c >= ' ' && c <= '~' ? String.valueOf((char) c) : hex(c);
        };
    }

    private static String hex(int c) {
        return "\\x" + Character.forDigit(c >> 4, 16) + Character.forDigit(c & 0xf, 16);
    }
}
