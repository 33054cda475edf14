package dev.jdyno.report.terminal;

import java.security.SecureRandom;

/// A secret mark of the escape sequences that jdyno itself makes. Texts from other sources do not
/// have it.
///
/// Colours and cursor movements are in the same strings as thread names and URLs. Each of them
/// begins with this mark instead of the escape character, and {@link TerminalWriter} writes an
/// escape character for this mark only. The mark consists of code points that Unicode reserves for
/// internal use. Each process draws a new one of 80 bits, so that it cannot be written into a
/// thread name.
final class EscapeMark {
    static final int LENGTH = 16;

    private static final char FIRST = '\ufdd0';
    private static final int KINDS = 32;

    private EscapeMark() {}

    /// Drawn when first needed, because most runs show no colour and should not pay for the
    /// randomness.
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
