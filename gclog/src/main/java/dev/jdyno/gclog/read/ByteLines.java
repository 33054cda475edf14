package dev.jdyno.gclog.read;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Splits a stream of bytes into lines without creating Strings: it has one buffer, and lines are
/// ranges of it. Eight bytes at a time are tested for a line feed (SWAR: a byte equal to `\n`
/// becomes zero after the XOR, and `(x - 0x01…) & ~x & 0x80…` marks the zero bytes).
public final class ByteLines {
    /// Size of the buffer in bytes, and so the maximum length of a line. A longer line is delivered
    /// in pieces, which match no rule and so count as unread.
    public static final int BUFFER_BYTES = 1 << 18;

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    /// Receives the lines as `b[from, to)` without the line end. The bytes are valid only during
    /// the call.
    public interface Taker {
        void line(byte[] b, int from, int to);
    }

    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int filled;
    private long bytes;

    /// The byte that ends a line, in each byte of a long. It is a carriage return if the first
    /// buffer of the file has no line feed, as with old Mac tools and terminal captures.
    private long feeds = '\n' * ONES;

    /// Number of bytes read so far.
    public long bytes() {
        return bytes;
    }

    /// Reads to the end of the stream. The last line is delivered even without a line end.
    public void readAll(InputStream in, Taker taker) throws IOException {
        readAvailable(in, taker);
        end(taker);
    }

    /// Called at the end of the stream. Delivers a last line that has no line end.
    public void end(Taker taker) {
        if (filled > 0) {
            hand(taker, 0, filled);
            filled = 0;
        }
    }

    /// Reads the available bytes. An incomplete line is kept for the next call.
    public void readAvailable(InputStream in, Taker taker) throws IOException {
        int got;
        while ((got = in.read(buffer, filled, buffer.length - filled)) >= 0) {
            int to = filled + got;
            if (bytes == 0 && got > 0 && feed(buffer, 0, to) == to) {
                feeds = '\r' * ONES;
                feeds = feed(buffer, 0, to - 1) < to - 1 ? feeds : '\n' * ONES;
            }
            bytes += got;
            int from = 0;
            int search = filled;
            int feed;
            while ((feed = feed(buffer, search, to)) < to) {
                hand(taker, from, feed);
                from = feed + 1;
                search = from;
            }
            filled = to - from;
            if (filled == buffer.length) {
                hand(taker, 0, filled);
                filled = 0;
            } else if (from > 0 && filled > 0) {
                System.arraycopy(buffer, from, buffer, 0, filled);
            }
        }
    }

    private void hand(Taker taker, int from, int feed) {
        int to = feed > from && buffer[feed - 1] == '\r' ? feed - 1 : feed;
        taker.line(buffer, from, to);
    }

    /// The position of the first line end in `[from, to)`; `to` if there is none.
    private int feed(byte[] b, int from, int to) {
        int i = from;
        for (; i + 8 <= to; i += 8) {
            long x = (long) WORDS.get(b, i) ^ feeds;
            long zero = (x - ONES) & ~x & TOPS;
            if (zero != 0) {
                return i + (Long.numberOfTrailingZeros(zero) >>> 3);
            }
        }
        for (; i < to; i++) {
            if (b[i] == (byte) feeds) {
                return i;
            }
        }
        return to;
    }
}
