package dev.jdyno.foreign;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Optional;

/// Lines of a file from an untrusted source, each up to a length: a file of gigabytes may be one
/// line. A line ends with LF, CR or both.
public final class ForeignLines implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final Charset charset;
    private final int mostBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int filled;
    private boolean behindReturn;
    private boolean tooLong;
    private byte[] line = new byte[256];
    private long number;

    /// @param charset a charset in which LF and CR are one byte each
    /// @param mostBytes maximum length of a line; of a longer one only the beginning is returned
    public ForeignLines(InputStream in, Charset charset, int mostBytes) {
        this.in = in;
        this.charset = charset;
        this.mostBytes = mostBytes;
    }

    /// @param number number of the line, from 1
    /// @param whole false if the line is longer than the returned text
    public record Line(long number, String text, boolean whole) {}

    /// The next line; empty at the end. Only the next call skips the rest of a line that is too
    /// long. So a caller that refuses such a line need not read all of it.
    public Optional<Line> next() throws IOException {
        passOver();
        int length = 0;
        boolean any = false;
        while (at < filled || fill()) {
            byte b = buffer[at++];
            if (behindReturn && b == '\n' && !any) {
                behindReturn = false;
                continue;
            }
            behindReturn = false;
            if (b == '\n' || b == '\r') {
                behindReturn = b == '\r';
                return Optional.of(line(length, true));
            }
            any = true;
            if (length == mostBytes) {
                tooLong = true;
                return Optional.of(line(length, false));
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, Math.min(2 * length, mostBytes));
            }
            line[length++] = b;
        }
        return any ? Optional.of(line(length, true)) : Optional.empty();
    }

    private void passOver() throws IOException {
        while (tooLong && (at < filled || fill())) {
            while (at < filled && tooLong) {
                byte b = buffer[at++];
                if (b == '\n' || b == '\r') {
                    tooLong = false;
                    behindReturn = b == '\r';
                }
            }
        }
    }

    private Line line(int length, boolean whole) {
        return new Line(++number, new String(line, 0, length, charset), whole);
    }

    private boolean fill() throws IOException {
        at = 0;
        filled = Math.max(0, in.read(buffer));
        return filled > 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
