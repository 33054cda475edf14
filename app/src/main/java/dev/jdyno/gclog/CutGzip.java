package dev.jdyno.gclog;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/// A compressed log that may lack its end, as one copied while it was being packed does: what is
/// there is read, as `zcat` does.
final class CutGzip extends FilterInputStream {

    CutGzip(GZIPInputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        try {
            return in.read();
        } catch (EOFException e) {
            return -1;
        }
    }

    @Override
    public int read(byte[] b, int from, int length) throws IOException {
        try {
            return in.read(b, from, length);
        } catch (EOFException e) {
            return -1;
        }
    }
}
