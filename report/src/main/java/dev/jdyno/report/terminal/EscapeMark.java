package dev.jdyno.report.terminal;

import java.security.SecureRandom;

/// The secret that tells what jdyno has the terminal do from what the texts of others would.
///
/// Our colours and cursor movements stand in the same strings as thread names and URLs. Each begins
/// with this mark in the place of the escape character, and {@link TerminalWriter} lets an escape
/// through nowhere else. The mark is made of numbers that Unicode keeps free for such use inside a
/// program, and drawn anew by each process: 80 bits that nobody can write into a thread name.
final class EscapeMark {
    static final int LENGTH = 16;

    private static final char FIRST = '\ufdd0';
    private static final int KINDS = 32;

    private EscapeMark() {}

    /// Drawn when it is first needed: most runs show no colour, and do not pay for the randomness.
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

    /// Whether it may be a part of the mark.
    static boolean has(char c) {
        return c >= FIRST && c < FIRST + KINDS;
    }

    static boolean is(CharSequence text) {
        return text.length() == LENGTH && Drawn.TEXT.contentEquals(text);
    }
}
