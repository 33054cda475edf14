package dev.jdyno.gclog.read;

import java.nio.charset.StandardCharsets;

/// A cursor over the bytes of one line, which reads numbers, sizes and words in place, without a
/// String. Every `boolean` reader moves only if it succeeds, and stores its result in a field.
public final class Scan {
    public byte[] b = new byte[0];

    /// Position of the cursor; `end` is one past the line's last byte.
    public int p;

    public int end;

    /// Result of `number` and `size`.
    public double value;

    /// Result of `whole` and `size`.
    public long whole;

    /// Results of `change`.
    public long before;

    public long after;
    private long capacityBefore;
    private long capacityAfter;
    private boolean hasCapacityBefore;
    private boolean hasCapacityAfter;

    public static byte[] word(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    public void at(byte[] bytes, int from, int to) {
        b = bytes;
        p = from;
        end = to;
    }

    public boolean startsWith(byte[] word) {
        return matchesAt(p, word);
    }

    public boolean matchesAt(int at, byte[] word) {
        byte[] bytes = b;
        int length = word.length;
        if (at + length > end) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[at + i] != word[i]) {
                return false;
            }
        }
        return true;
    }

    public boolean accept(byte[] word) {
        if (!matchesAt(p, word)) {
            return false;
        }
        p += word.length;
        return true;
    }

    public boolean accept(char c) {
        if (p < end && b[p] == c) {
            p++;
            return true;
        }
        return false;
    }

    public void spaces() {
        byte[] bytes = b;
        int to = end;
        int i = p;
        while (i < to && bytes[i] == ' ') {
            i++;
        }
        p = i;
    }

    /// Moves to the first `c` at or after the cursor. Does not move if there is none.
    public boolean find(char c) {
        for (int i = p; i < end; i++) {
            if (b[i] == c) {
                p = i;
                return true;
            }
        }
        return false;
    }

    /// Moves to the first `word` at or after the cursor. Does not move if there is none.
    public boolean find(byte[] word) {
        byte first = word[0];
        for (int i = p; i + word.length <= end; i++) {
            if (b[i] == first && matchesAt(i, word)) {
                p = i;
                return true;
            }
        }
        return false;
    }

    /// Moves behind the next `word`. Does not move if there is none.
    public boolean after(byte[] word) {
        if (!find(word)) {
            return false;
        }
        p += word.length;
        return true;
    }

    /// Maximum number of digits that fit in a long.
    private static final int MAX_DIGITS = 18;

    /// Reads digits only.
    public boolean whole() {
        byte[] bytes = b;
        int from = p;
        int to = Math.min(end, from + MAX_DIGITS);
        int i = from;
        long n = 0;
        while (i < to) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            n = n * 10 + digit;
            i++;
        }
        if (i == from) {
            return false;
        }
        whole = n;
        p = i;
        return true;
    }

    private static final double[] SCALE = {
        1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12
    };

    /// Reads digits with an optional fraction. The decimal mark is a point or, in some locales, a
    /// comma.
    public boolean number() {
        int start = p;
        if (!whole()) {
            return false;
        }
        double n = whole;
        if (p + 1 < end && (b[p] == '.' || b[p] == ',') && isDigit(b[p + 1])) {
            int mark = ++p;
            if (whole()) {
                int digits = p - mark;
                n = digits < SCALE.length ? n + whole * SCALE[digits] : n;
            }
        }
        value = n;
        return p > start;
    }

    public static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    /// Reads a size such as `1234K`, `24.0M`, `0.0B`, `12G` or `1234`, and stores bytes in `whole`.
    /// A number without a unit means bytes.
    public boolean size() {
        if (!number()) {
            return false;
        }
        double unit = 1;
        if (p < end) {
            switch (b[p]) {
                case 'K', 'k' -> unit = 1L << 10;
                case 'M', 'm' -> unit = 1L << 20;
                case 'G', 'g' -> unit = 1L << 30;
                case 'T', 't' -> unit = 1L << 40;
                case 'B' -> {}
                default -> p--;
            }
            p++;
        }
        whole = Math.round(value * unit);
        return true;
    }

    /// Reads a change of a space: `15M->3M(256M)`, `69691K(78656K)->8704K(78656K)`,
    /// `26M(10%)->12M(5%)`, `24.0M(24.0M)->0.0B(13.0M)`, `14->0(111)`.
    public boolean change() {
        int start = p;
        hasCapacityBefore = false;
        hasCapacityAfter = false;
        if (!size()) {
            return false;
        }
        before = whole;
        if (capacity()) {
            hasCapacityBefore = true;
            capacityBefore = whole;
        }
        if (!(p + 1 < end && b[p] == '-' && b[p + 1] == '>')) {
            p = start;
            return false;
        }
        p += 2;
        if (!size()) {
            p = start;
            return false;
        }
        after = whole;
        if (capacity()) {
            hasCapacityAfter = true;
            capacityAfter = whole;
        }
        return true;
    }

    /// Reads a capacity: true for `(256M)`; `(10%)` is skipped and gives false.
    private boolean capacity() {
        if (p >= end || b[p] != '(') {
            return false;
        }
        int open = p++;
        if (!size()) {
            p = open;
            return false;
        }
        boolean percent = accept('%');
        if (!accept(')')) {
            p = open;
            return false;
        }
        return !percent;
    }

    /// True if the last change had a capacity. If it had two, the capacity after the change is
    /// used.
    boolean hasCapacity() {
        return hasCapacityAfter || hasCapacityBefore;
    }

    long capacityBytes() {
        return hasCapacityAfter ? capacityAfter : capacityBefore;
    }

    boolean hasCapacityAfter() {
        return hasCapacityAfter;
    }

    public String text(int from, int to) {
        return new String(b, from, to - from, StandardCharsets.UTF_8);
    }
}
