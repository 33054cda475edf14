package dev.jdyno.load.reply;

import java.util.Arrays;

/// The last head read by this loop. Replies of one page have the same head for a whole second,
/// until the Date changes: a head that equals the last one byte by byte need not be read again, and
/// comparing is vectorised (some 10 ns for 250 bytes instead of some 250).
public final class HeadMemory {
    /// Longer heads are always read.
    private static final int LONGEST = 2048;

    private final byte[] bytes = new byte[LONGEST];
    private int length;
    private ReplyHead head = new ReplyHead(200, 0, false, true, false);

    /// What the unfinished heads of all connections of a loop may take together: a server that
    /// begins a head on each of thousands of connections and never ends one must not take all
    /// memory.
    static final int MOST_UNFINISHED = 64 << 20;

    private int unfinished;

    /// Asks for room for the bytes of an unfinished head.
    ///
    /// @return whether there is that much; the caller then gives it back with {@link #release}
    boolean reserve(int length) {
        if (unfinished + length > MOST_UNFINISHED) {
            return false;
        }
        unfinished += length;
        return true;
    }

    void release(int length) {
        unfinished -= length;
    }

    /// The length of the head at `from` when it is the one known; 0 otherwise.
    int match(byte[] b, int from, int to) {
        int n = length;
        return n > 0 && to - from >= n && Arrays.equals(b, from, from + n, bytes, 0, n) ? n : 0;
    }

    ReplyHead head() {
        return head;
    }

    void keep(byte[] b, int from, int to, ReplyHead read) {
        if (to - from <= LONGEST) {
            System.arraycopy(b, from, bytes, 0, to - from);
            length = to - from;
            head = read;
        }
    }
}
