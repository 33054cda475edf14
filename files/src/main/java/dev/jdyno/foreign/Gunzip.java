package dev.jdyno.foreign;

import dev.jdyno.measure.load.Incomplete.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Unpacks gzip (RFC 1952) as far as possible, and reports how it ended. Data before a damage is
/// returned, as by `zcat`. {@link #damage()} distinguishes a complete file from an incomplete one.
///
/// Several members in one file are one text, as created by `cat a.gz b.gz`. This also holds for a
/// pipe (`java.util.zip.GZIPInputStream` treats a pipe that is empty for a moment as the end).
/// Other data after a member is ignored, as by `gzip`, because tapes and disks fill up with zeros.
public final class Gunzip extends InputStream {
    /// Maximum ratio of unpacked to packed bytes. Deflate reaches 1032 to 1 on zeros, logs reach 10
    /// to 30.
    static final int MAX_RATIO = 200;

    /// Minimum number of unpacked bytes for the ratio to matter: fewer are read within seconds.
    static final long RATIO_FROM_BYTES = 1L << 30;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAGIC_1 = 0x1f;
    private static final int MAGIC_2 = 0x8b;
    private static final int DEFLATE = 8;
    private static final int HEADER_CRC = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int RESERVED = 0xe0;

    private final InputStream in;
    private final long ratioFrom;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final byte[] single = new byte[1];
    private int at;
    private int filled;
    private long packed;
    private long unpacked;
    private long inMember;
    private boolean begun;
    private boolean over;
    private Optional<Kind> damage = Optional.empty();

    /// @param in a stream that begins with the two bytes of {@link #isPacked}
    public Gunzip(InputStream in) {
        this(in, RATIO_FROM_BYTES);
    }

    Gunzip(InputStream in, long ratioFrom) {
        this.in = in;
        this.ratioFrom = ratioFrom;
    }

    /// Reads two bytes. True if they are the beginning of gzip data.
    public static boolean isPacked(InputStream in) throws IOException {
        return in.read() == MAGIC_1 && in.read() == MAGIC_2;
    }

    /// The reason why the text ended too early; empty before its end, and if it is complete.
    public Optional<Kind> damage() {
        return damage;
    }

    @Override
    public int read() throws IOException {
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            while (!over) {
                if (!begun) {
                    begin();
                    continue;
                }
                int n = inflated(to, from, length);
                if (n > 0) {
                    taken(to, from, n);
                    return n;
                }
                if (over) {
                    return -1;
                }
                if (inflater.finished()) {
                    endMember();
                } else if (inflater.needsDictionary()) {
                    end(Kind.CORRUPT);
                } else if (inflater.needsInput()) {
                    require();
                    inflater.setInput(buffer, at, filled - at);
                    at = filled;
                }
            }
        } catch (EOFException cut) {
            end(Kind.CUT);
        }
        return -1;
    }

    /// Unpacks bytes. Returns the number of bytes unpacked before damaged data, if there is any.
    private int inflated(byte[] to, int from, int length) {
        long before = inflater.getBytesWritten();
        try {
            return inflater.inflate(to, from, length);
        } catch (DataFormatException corrupt) {
            end(Kind.CORRUPT);
            return (int) (inflater.getBytesWritten() - before);
        }
    }

    private void taken(byte[] bytes, int from, int n) {
        crc.update(bytes, from, n);
        inMember += n;
        unpacked += n;
        if (unpacked > ratioFrom && unpacked > MAX_RATIO * packed) {
            end(Kind.BOMB);
        }
    }

    private void end(Kind how) {
        over = true;
        damage = Optional.of(how);
    }

    /// Reads the header of the first member.
    private void begin() throws IOException {
        if (next() != MAGIC_1 || next() != MAGIC_2) {
            end(Kind.CORRUPT);
            return;
        }
        header();
        begun = true;
    }

    private void header() throws IOException {
        int method = next();
        int flags = next();
        if (method != DEFLATE || (flags & RESERVED) != 0) {
            end(Kind.CORRUPT);
            return;
        }
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip(next() | next() << 8);
        }
        for (int text : new int[] {NAME, COMMENT}) {
            while ((flags & text) != 0 && next() != 0) {
                // these characters have no effect on the data
            }
        }
        if ((flags & HEADER_CRC) != 0) {
            skip(2);
        }
        inflater.reset();
        crc.reset();
        inMember = 0;
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            int _ = next();
        }
    }

    /// Checks the member that ended, and begins the next one if there is one.
    private void endMember() throws IOException {
        at = filled - inflater.getRemaining();
        if (little() != (int) crc.getValue() || little() != (int) inMember) {
            end(Kind.CORRUPT);
            return;
        }
        over = !hasNext() || next() != MAGIC_1 || !hasNext() || next() != MAGIC_2;
        if (!over) {
            header();
        }
    }

    private int little() throws IOException {
        return next() | next() << 8 | next() << 16 | next() << 24;
    }

    private int next() throws IOException {
        require();
        return buffer[at++] & 0xff;
    }

    private void require() throws IOException {
        if (!hasNext()) {
            throw new EOFException();
        }
    }

    private boolean hasNext() throws IOException {
        if (at < filled) {
            return true;
        }
        int n = in.read(buffer);
        if (n <= 0) {
            return false;
        }
        at = 0;
        filled = n;
        packed += n;
        return true;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        over = true;
        in.close();
    }
}
