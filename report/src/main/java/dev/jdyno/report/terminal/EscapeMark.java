package dev.jdyno.report.terminal;

import java.security.SecureRandom;

/// A secret mark that identifies the escape sequences made by jdyno itself. Texts from other
/// sources do not contain it.
///
/// Colours and cursor movements are in the same strings as thread names and URLs. Each escape
/// sequence begins with this mark instead of the escape character, and {@link TerminalWriter}
/// replaces only this mark by an escape character. The mark consists of code points that Unicode
/// reserves for internal use. Each process draws a new one of 80 bits, so that it cannot be written
/// into a thread name.
final class EscapeMark {
    static final int LENGTH = 16;

    private static final char FIRST = '\ufdd0';
    private static final int KINDS = 32;

    private EscapeMark() {}

    /// Creates the mark at its first use, because most runs print no colours and need no random
    /// number.
    private static final class Drawn {
        private static final String TEXT = draw();

        private static String draw() {
            var random = new SecureRandom();
            var text = new StringBuilder(LENGTH);
            for (int i = 0; i < LENGTH; i++) {
                text.append((char) (FIRST + random.nextInt(KINDS)));
            }
            return text.toString();
        }
    }

    static String text() {
        return Drawn.TEXT;
    }

    /// True if the character may be a part of the mark.
    static boolean has(char c) {
        return c >= FIRST && c < FIRST + KINDS;
    }

    static boolean is(CharSequence text) {
        return text.length() == LENGTH && Drawn.TEXT.contentEquals(text);
    }
}
