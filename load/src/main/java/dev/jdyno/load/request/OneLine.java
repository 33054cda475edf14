package dev.jdyno.load.request;

/// Keeps a value within its line of a request. Values come from replies: with a line feed in a
/// value, the server could insert headers and requests of its own into this connection.
public final class OneLine {
    private OneLine() {}

    /// Escapes control characters for the request line, such as `%0A`.
    public static String target(String text) {
        return isClean(text, false) ? text : escaped(text);
    }

    /// Replaces control characters of a header value, except tabs, by spaces (RFC 9110 §5.5).
    public static String value(String text) {
        if (isClean(text, true)) {
            return text;
        }
        var line = new StringBuilder(text);
        for (int i = 0; i < line.length(); i++) {
            if (isControl(line.charAt(i), true)) {
                line.setCharAt(i, ' ');
            }
        }
        return line.toString();
    }

    private static boolean isClean(String text, boolean tabs) {
        for (int i = 0; i < text.length(); i++) {
            if (isControl(text.charAt(i), tabs)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isControl(char c, boolean tabs) {
        return (c < ' ' && !(tabs && c == '\t')) || c == 0x7f;
    }

    private static String escaped(String text) {
        var line = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isControl(c, false)) {
                line.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 0xf, 16)));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }
}
