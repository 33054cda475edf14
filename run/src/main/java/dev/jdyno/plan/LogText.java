package dev.jdyno.plan;

import java.nio.charset.StandardCharsets;

/// Converts the escapes of an access log to a form that is valid in a request.
final class LogText {
    private static final String HEX = "0123456789ABCDEF";

    private LogText() {}

    /// A request's target: `\x22` and `\"` become `%22`, like every byte that a target may not
    /// contain.
    static String target(String logged) {
        if (logged.chars().allMatch(LogText::isAllowed)) {
            return logged;
        }
        var target = new StringBuilder();
        for (int i = 0; i < logged.length(); i++) {
            char c = logged.charAt(i);
            if (c == '\\' && i + 1 < logged.length()) {
                i++;
                char next = logged.charAt(i);
                if (next == 'x' && isHex(logged, i + 1)) {
                    percent(target, Integer.parseInt(logged.substring(i + 1, i + 3), 16));
                    i += 2;
                } else {
                    percent(target, unescaped(next));
                }
            } else if (isAllowed(c)) {
                target.append(c);
            } else {
                percent(target, c);
            }
        }
        return target.toString();
    }

    /// The byte of a letter that Apache httpd writes after a backslash.
    private static int unescaped(char letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> letter;
        };
    }

    private static boolean isHex(String text, int from) {
        return from + 2 <= text.length()
                && Character.digit(text.charAt(from), 16) >= 0
                && Character.digit(text.charAt(from + 1), 16) >= 0;
    }

    private static boolean isAllowed(int c) {
        return c > ' ' && c < 0x7f && c != '\\' && c != '"';
    }

    private static void percent(StringBuilder to, int c) {
        for (byte b : String.valueOf((char) c).getBytes(StandardCharsets.ISO_8859_1)) {
            to.append('%').append(HEX.charAt((b >> 4) & 0xf)).append(HEX.charAt(b & 0xf));
        }
    }
}
