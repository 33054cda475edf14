package dev.jdyno.observe.jfr;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/// Checks the structure of a flight recording before the JDK's parser reads it. The parser waits
/// forever for the end of a chunk that is marked as being written. It loops if an event has a
/// negative size or constants refer to later ones. (The recording comes from the target, which may
/// write anything.)
///
/// A recording is a sequence of chunks. A chunk is a header of 68 bytes, big endian, and then
/// events:
///
/// ```
/// header   0 "FLR\0" · 4 major · 6 minor · 8 size · 16 constants at · 24 metadata at · 32 start …
///          64 state: 0 when it is finished
/// event    size · type (1: constants) · start · duration · for constants the offset of the previous
/// ```
///
/// Numbers of an event have one to nine bytes, with seven bits each except the last.
final class RecordingShape {
    private static final int MAGIC = 0x464c5200;
    private static final int HEADER_BYTES = 68;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final long CONSTANTS = 1;

    /// Maximum size: more than the 100 MiB that jdyno's recordings may keep, and a last chunk.
    static final long MAX_BYTES = 256L << 20;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int filled;
    // position of the buffer's first byte
    private long origin;

    private RecordingShape(InputStream in) {
        this.in = in;
    }

    /// @throws IOException with the fault
    static void require(Path recording) throws IOException {
        long size = Files.size(recording);
        if (size > MAX_BYTES) {
            throw new IOException("it is larger than " + (MAX_BYTES >> 20) + " MiB");
        }
        try (InputStream in = Files.newInputStream(recording)) {
            var shape = new RecordingShape(in);
            do {
                shape.chunk(size);
            } while (shape.position() < size);
        } catch (EOFException cut) {
            throw new IOException("it is cut off", cut);
        }
    }

    private void chunk(long fileSize) throws IOException {
        long start = position();
        if (raw(4) != MAGIC) {
            throw new IOException("it is no flight recording");
        }
        raw(4); // version
        long size = raw(8);
        long constants = raw(8);
        skipTo(start + 64);
        boolean finished = raw(1) == 0;
        skipTo(start + HEADER_BYTES);
        if (!finished) {
            throw new IOException("a part of it is not finished");
        }
        if (size < HEADER_BYTES || size > fileSize - start) {
            throw new IOException("it is cut off");
        }
        Set<Long> known = new HashSet<>();
        while (position() < start + size) {
            event(start + size, known);
        }
        if (!known.contains(start + constants)) {
            throw broken();
        }
    }

    /// @param constants positions of the constants of this chunk that were read already
    private void event(long end, Set<Long> constants) throws IOException {
        long event = position();
        long size = number();
        if (size <= 0 || size > end - event) {
            throw broken();
        }
        if (number() == CONSTANTS) {
            number(); // start
            number(); // duration
            long before = number();
            if (before != 0 && !constants.contains(event + before)) {
                throw broken();
            }
            constants.add(event);
        }
        if (position() > event + size) {
            throw broken();
        }
        skipTo(event + size);
    }

    private static IOException broken() {
        return new IOException("its events are broken");
    }

    private long number() throws IOException {
        long n = 0;
        for (int shift = 0; shift < 56; shift += 7) {
            int b = next();
            n |= (b & 0x7fL) << shift;
            if (b < 0x80) {
                return n;
            }
        }
        return n | (long) next() << 56;
    }

    private long raw(int bytes) throws IOException {
        long n = 0;
        for (int i = 0; i < bytes; i++) {
            n = n << 8 | next();
        }
        return n;
    }

    private long position() {
        return origin + at;
    }

    private int next() throws IOException {
        if (at == filled) {
            origin += filled;
            at = 0;
            filled = Math.max(0, in.read(buffer));
            if (filled == 0) {
                throw new EOFException();
            }
        }
        return buffer[at++] & 0xff;
    }

    private void skipTo(long position) throws IOException {
        long ahead = position - position();
        if (ahead <= filled - at) {
            at += (int) ahead;
        } else {
            in.skipNBytes(ahead - (filled - at));
            origin = position;
            at = 0;
            filled = 0;
        }
    }
}
