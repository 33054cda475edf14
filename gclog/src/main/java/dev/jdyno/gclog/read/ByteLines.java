package dev.jdyno.gclog.read;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Cuts a stream of bytes into lines without making Strings: one buffer, lines handed out as ranges
/// of it. Eight bytes are tested for a line feed at a time (SWAR: a byte equal to `\n` becomes zero
/// after the XOR, and `(x - 0x01…) & ~x & 0x80…` marks the zero bytes).
public final class ByteLines {
    /// Bytes read at once; also the longest line that is read whole. A longer one is handed out in
    /// pieces, which no rule understands, and so counts as unread.
    public static final int BUFFER_BYTES = 1 << 18;

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    /// Takes the lines: `b[from, to)` without the line end. The bytes are valid during the call
    /// only.
    public interface Taker {
        void line(byte[] b, int from, int to);
    }

    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int filled;
    private long bytes;

    /// What ends a line, in every byte: a line feed, or a carriage return in a file whose first
    /// buffer has no line feed (old Mac tools, and terminals' captures).
    private long feeds = '\n' * ONES;

    /// Bytes read so far.
    public long bytes() {
        return bytes;
    }

    /// Reads to the end of the stream; a last line without an end is handed out too.
    public void readAll(InputStream in, Taker taker) throws IOException {
        readAvailable(in, taker);
        end(taker);
    }

    /// The stream ended: hands out a last line that has no end.
    public void end(Taker taker) {
        if (filled > 0) {
            hand(taker, 0, filled);
            filled = 0;
        }
    }

    /// Reads what there is; a line that has no end yet is kept for the next call.
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

    /// The first line end in `[from, to)`, or `to`.
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
