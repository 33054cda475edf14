package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.read.Scan;

/// Distinguishes the lines of a JDK 6–8 log from output of the application by their beginnings, and
/// finds a collection behind other text on the same line.
///
/// An application may print between any two lines of one collection. Brackets, dates and figures in
/// its output must not change the stack of open brackets or the clock.
final class LegacyLine {
    /// First words of brackets that only a JVM writes.
    private static final byte[][] OPENINGS = {
        Scan.word("GC"),
        Scan.word("Full GC"),
        Scan.word("CMS"),
        Scan.word("1 CMS-"),
        Scan.word("ParNew"),
        Scan.word("DefNew"),
        Scan.word("PSYoungGen"),
        Scan.word("PSOldGen"),
        Scan.word("ParOldGen"),
        Scan.word("PSPermGen"),
        Scan.word("Tenured"),
        Scan.word("Perm"),
        Scan.word("Metaspace"),
        Scan.word("Times: user="),
        Scan.word("YG occupancy"),
        Scan.word("Rescan "),
        Scan.word("weak refs processing"),
        Scan.word("class unloading"),
        Scan.word("scrub symbol table"),
        Scan.word("scrub string table"),
        Scan.word("G1Ergonomics"),
        Scan.word("0x"),
    };

    /// Words that only a JVM writes outside of brackets.
    private static final byte[] STOPPED = Scan.word("Total time for which application threads");

    private static final byte[] APPLICATION = Scan.word("Application time: ");
    private static final byte[] DESIRED = Scan.word("Desired survivor size ");
    private static final byte[] AGE = Scan.word("- age ");
    private static final byte[] BYTES = Scan.word(" bytes");

    /// The words after a duration. They may be in the rest of a collection whose line was split by
    /// other output.
    private static final byte[] SECS = Scan.word(" secs");

    private static final byte[] CHANGE = Scan.word("K->");
    private static final byte[] MODE = Scan.word("(concurrent mode");
    private static final byte[] FAILED = Scan.word("(promotion failed");

    private LegacyLine() {}

    /// Position at which the JVM's output begins in the line, from the cursor on; -1 if the line
    /// has none.
    ///
    /// @param open true if a collection of an earlier line is still open
    static int begin(Scan s, boolean open) {
        int from = s.p;
        int at = behindStamps(s, from);
        boolean stamped = at - 2 > from && s.b[at - 1] == ' ' && s.b[at - 2] == ':';
        if (at < s.end && s.b[at] == '[') {
            boolean indented = at >= from + 2 && !stamped;
            if (opening(s, at + 1) || indented) {
                return from;
            }
        }
        if (words(s, at)) {
            return from;
        }
        for (int i = at; i < s.end; i++) {
            if ((s.b[i] == '[' && opening(s, i + 1))
                    || (s.b[i] == 'T' && s.matchesAt(i, STOPPED))) {
                return open ? from : beforeStamps(s, from, i);
            }
        }
        return open && goesOn(s, at) ? from : -1;
    }

    private static boolean words(Scan s, int at) {
        if (s.matchesAt(at, STOPPED) || s.matchesAt(at, APPLICATION) || s.matchesAt(at, DESIRED)) {
            return true;
        }
        return s.matchesAt(at, AGE) && has(s, at, BYTES);
    }

    private static boolean opening(Scan s, int at) {
        for (byte[] word : OPENINGS) {
            if (s.matchesAt(at, word)) {
                int behind = at + word.length;
                // "[GCP upload]" is not a bracket of a collection
                return behind >= s.end
                        || !Character.isLetter(s.b[behind])
                        || !Character.isLetter(s.b[behind - 1]);
            }
        }
        return false;
    }

    private static boolean goesOn(Scan s, int at) {
        if (s.end - at <= 2 && (s.b[at] == ']' || s.b[at] == ',')) {
            return true;
        }
        boolean ends = s.b[s.end - 1] == ']' || has(s, at, CHANGE);
        return (ends && has(s, at, SECS))
                || has(s, at, MODE)
                || has(s, at, FAILED)
                || has(s, at, DESIRED)
                || (has(s, at, AGE) && has(s, at, BYTES))
                || (":,( ".indexOf(s.b[at]) >= 0 && has(s, at, CHANGE));
    }

    private static boolean has(Scan s, int from, byte[] word) {
        int p = s.p;
        s.p = from;
        boolean found = s.find(word);
        s.p = p;
        return found;
    }

    /// The position after stamps such as `2014-01-02T03:04:05.678+0100: 1.500: ` and spaces.
    private static int behindStamps(Scan s, int from) {
        int i = from;
        while (i < s.end) {
            int behind = i;
            while (behind < s.end && stampByte(s.b[behind])) {
                behind++;
            }
            if (behind > i + 4
                    && behind + 1 < s.end
                    && s.b[behind - 1] == ':'
                    && s.b[behind] == ' ') {
                i = behind + 1;
            } else if (s.b[i] == ' ') {
                i++;
            } else {
                break;
            }
        }
        return Math.min(i, s.end - 1);
    }

    /// The position of the stamps directly before `at`.
    private static int beforeStamps(Scan s, int from, int at) {
        int begin = at;
        while (begin - 2 > from && s.b[begin - 1] == ' ' && s.b[begin - 2] == ':') {
            int i = begin - 1;
            while (i > from && stampByte(s.b[i - 1])) {
                i--;
            }
            if (i > begin - 6) {
                break;
            }
            begin = i;
        }
        return begin;
    }

    private static boolean stampByte(byte c) {
        return Scan.isDigit(c)
                || c == '.'
                || c == ','
                || c == ':'
                || c == '-'
                || c == '+'
                || c == 'T'
                || c == 'Z';
    }
}
