package dev.jdyno.gclog.event;

import java.nio.charset.StandardCharsets;

/// Interns words of the log by their bytes. Causes, phases and operations occur a million times and
/// share one String each.
public final class Names {
    /// Maximum number of distinct words that are kept. Further words become Strings that are not
    /// shared.
    private static final int MAX = 4096;

    /// Maximum number of bytes of a word. The name of a phase has some dozen, but a line has up to
    /// 256 KiB.
    private static final int LONGEST = 256;

    private String[] words = new String[512];
    private byte[][] bytes = new byte[512][];
    private int size;

    public String of(byte[] b, int from, int end) {
        int to = Math.min(end, from + LONGEST);
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + b[i];
        }
        int mask = words.length - 1;
        int slot = (hash ^ (hash >>> 15)) & mask;
        while (words[slot] != null) {
            if (equal(bytes[slot], b, from, to)) {
                return words[slot];
            }
            slot = (slot + 1) & mask;
        }
        String word = new String(b, from, to - from, StandardCharsets.UTF_8);
        if (size < MAX) {
            words[slot] = word;
            bytes[slot] = java.util.Arrays.copyOfRange(b, from, to);
            if (++size * 2 > words.length) {
                grow();
            }
        }
        return word;
    }

    private static boolean equal(byte[] word, byte[] b, int from, int to) {
        if (word.length != to - from) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (word[i] != b[from + i]) {
                return false;
            }
        }
        return true;
    }

    private void grow() {
        byte[][] old = bytes;
        words = new String[old.length * 2];
        bytes = new byte[old.length * 2][];
        size = 0;
        for (byte[] word : old) {
            if (word != null) {
                of(word, 0, word.length);
            }
        }
    }
}
