package dev.jdyno.load.reply;

import java.util.Arrays;

/// The last head that this loop read. Replies of one page have the same head for a whole second,
/// until their Date header changes. A head that equals the last one byte by byte is not parsed
/// again. The comparison is vectorised: it takes some 10 ns for 250 bytes instead of some 250 ns.
public final class HeadMemory {
    /// Maximum length of a head that is kept, in bytes. Longer heads are always parsed.
    private static final int LONGEST = 2048;

    private final byte[] bytes = new byte[LONGEST];
    private int length;
    private ReplyHead head = new ReplyHead(200, 0, false, true, false);

    /// Maximum memory, in bytes, for the unfinished heads of all connections of a loop. Without
    /// this limit, a server could begin a head on thousands of connections and use up the memory.
    static final int MAX_UNFINISHED = 64 << 20;

    private int unfinished;

    /// Reserves memory for the bytes of an unfinished head.
    ///
    /// @return false if the limit is reached; otherwise the caller must return the memory with
    ///   {@link #release}
    boolean reserve(int length) {
        if (unfinished + length > MAX_UNFINISHED) {
            return false;
        }
        unfinished += length;
        return true;
    }

    void release(int length) {
        unfinished -= length;
    }

    /// The length of the head at `from` if it equals the known one; otherwise 0.
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
