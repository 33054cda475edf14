package dev.jdyno.files;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// A stream that fails if a file has more bytes than its limit: another user's file can grow while
/// it is read.
final class LimitedStream extends FilterInputStream {
    private final String name;
    private final long atMost;
    private long read;

    LimitedStream(InputStream in, String name, long atMost) {
        super(in);
        this.name = name;
        this.atMost = atMost;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        counted(next < 0 ? 0 : 1);
        return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int count = super.read(into, offset, length);
        counted(Math.max(0, count));
        return count;
    }

    @Override
    public long skip(long n) throws IOException {
        long skipped = super.skip(n);
        counted(skipped);
        return skipped;
    }

    private void counted(long more) throws NotTrusted {
        read += more;
        if (read > atMost) {
            throw new NotTrusted(name, "grew above the limit of " + atMost + " bytes");
        }
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
