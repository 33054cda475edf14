package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.read.Scan;
import dev.jdyno.gclog.read.WallClock;
import java.util.Arrays;

/// The `[…]` groups before a message of unified logging (JEP 158), in any order and number:
/// `[2026-11-20T13:13:02.432+0000][0.003s][info][gc,init] Using G1`.
final class Decorations {
    /// Minimum number of milliseconds that is a date (`timemillis`). A smaller number is an uptime
    /// (`uptimemillis`).
    private static final long EPOCH_MS_FROM = 100_000_000_000L;

    /// Maximum number of groups; HotSpot has a dozen decorators. In a line of 256 KiB, every
    /// bracket may begin a group, and a search for its end through the whole line would take
    /// quadratic time.
    private static final int MAX_GROUPS = 32;

    private static final int LONGEST_GROUP = 256;

    private final WallClock wall = new WallClock();

    boolean hasUptime;
    double uptimeS;
    boolean hasWall;
    long epochMs;

    /// First letter of the level (`i`nfo, `d`ebug, `t`race, `w`arning, `e`rror), or 0.
    byte level;

    /// Number of groups of the line.
    int groups;

    /// The time groups at the start of the last line. Most lines of a collection have the same
    /// ones, and comparing bytes is cheaper than reading them again.
    private final byte[] stamp = new byte[64];

    private int stampLength;
    private boolean stampHasUptime;
    private double stampUptimeS;
    private boolean stampHasWall;
    private long stampEpochMs;

    /// Reads decorations at the cursor and moves to the message; returns false if there are none.
    /// At least one group must be a time, a level or the tags of collections: `[GC 12K->3K(9K), 0.1
    /// secs]` is no decoration.
    boolean read(Scan s) {
        level = 0;
        groups = 0;
        byte[] b = s.b;
        int p = s.p;
        int end = s.end;
        boolean sameStamp = stampedAsBefore(s);
        if (sameStamp) {
            p += stampLength;
            hasUptime = stampHasUptime;
            uptimeS = stampUptimeS;
            hasWall = stampHasWall;
            epochMs = stampEpochMs;
        } else {
            hasUptime = false;
            hasWall = false;
            stampLength = 0;
        }
        boolean leading = !sameStamp;
        while (p < end && b[p] == '[') {
            int from = p + 1;
            int to = group(s, from);
            if (to < 0 || groups == MAX_GROUPS) {
                return false;
            }
            boolean isOne = from < to && (one(s, from, to) || (!sameStamp && isTags(b, from, to)));
            groups++;
            sameStamp |= isOne;
            p = to + 1;
            leading &= isOne && Scan.isDigit(b[from]);
            if (leading) {
                remember(s, p);
            }
        }
        if (!sameStamp) {
            return false;
        }
        s.p = p < end && b[p] == ' ' ? p + 1 : p;
        return true;
    }

    private boolean stampedAsBefore(Scan s) {
        int from = s.p;
        int to = from + stampLength;
        return stampLength > 0
                && to <= s.end
                && Arrays.equals(s.b, from, to, stamp, 0, stampLength);
    }

    private void remember(Scan s, int to) {
        int length = to - s.p;
        if (length > stamp.length) {
            return;
        }
        System.arraycopy(s.b, s.p, stamp, 0, length);
        stampLength = length;
        stampHasUptime = hasUptime;
        stampUptimeS = uptimeS;
        stampHasWall = hasWall;
        stampEpochMs = epochMs;
    }

    /// The position of the closing bracket; negative if it is further away than the longest group.
    private int group(Scan s, int from) {
        byte[] b = s.b;
        int end = Math.min(s.end, from + LONGEST_GROUP);
        // the stamp almost always has 28 bytes
        int i = from + 28 < end && b[from + 28] == ']' && b[from + 10] == 'T' ? from + 28 : from;
        while (i < end) {
            if (b[i] == ']') {
                return i;
            }
            i++;
        }
        return -1;
    }

    private boolean one(Scan s, int from, int to) {
        byte[] b = s.b;
        byte c = b[from];
        if (Scan.isDigit(c)) {
            return number(s, from, to);
        }
        if (level == 0 && isLevel(b, from, to)) {
            level = c;
            return true;
        }
        return false;
    }

    /// True for the tags of collections and safepoints, which are enough to recognise decorations:
    /// `-Xlog:gc::tags` writes `[gc,start ] GC(0) Pause …`.
    private static boolean isTags(byte[] b, int from, int to) {
        int end = to;
        while (end > from && b[end - 1] == ' ') {
            end--;
        }
        int first = from;
        while (first < end && b[first] >= 'a' && b[first] <= 'z') {
            first++;
        }
        if (first < end && b[first] != ',') {
            return false;
        }
        return is(GC, b, from, first) || is(SAFEPOINT, b, from, first);
    }

    private static final byte[] GC = Scan.word("gc");
    private static final byte[] SAFEPOINT = Scan.word("safepoint");

    private static boolean is(byte[] word, byte[] b, int from, int to) {
        return Arrays.equals(word, 0, word.length, b, from, to);
    }

    private boolean number(Scan s, int from, int to) {
        byte[] b = s.b;
        if (to - from >= 19 && b[from + 4] == '-') {
            if (!wall.read(b, from, to)) {
                return false;
            }
            hasWall = true;
            epochMs = wall.epochMs;
            return true;
        }
        int p = s.p;
        s.p = from;
        boolean read = s.number();
        int unit = s.p;
        s.p = p;
        if (!read || unit >= to) {
            return false;
        }
        int letters = to - unit;
        if (letters == 1 && b[unit] == 's') {
            hasUptime = true;
            uptimeS = s.value;
            return true;
        }
        if (letters == 2 && b[unit + 1] == 's' && (b[unit] == 'm' || b[unit] == 'n')) {
            double ms = b[unit] == 'm' ? s.value : s.value / 1e6;
            if (ms >= EPOCH_MS_FROM) {
                hasWall = true;
                epochMs = (long) ms;
            } else {
                hasUptime = true;
                uptimeS = ms / 1000;
            }
            return true;
        }
        return false;
    }

    private static boolean isLevel(byte[] b, int from, int to) {
        int length = to - from;
        while (length > 0 && b[from + length - 1] == ' ') {
            length--;
        }
        return switch (b[from]) {
            case 'i' -> length == 4 && b[from + 1] == 'n' && b[from + 3] == 'o';
            case 'd' -> length == 5 && b[from + 1] == 'e' && b[from + 4] == 'g';
            case 't' -> length == 5 && b[from + 1] == 'r' && b[from + 4] == 'e';
            case 'w' -> length == 7 && b[from + 1] == 'a' && b[from + 6] == 'g';
            case 'e' -> length == 5 && b[from + 1] == 'r' && b[from + 4] == 'r';
            default -> false;
        };
    }
}
