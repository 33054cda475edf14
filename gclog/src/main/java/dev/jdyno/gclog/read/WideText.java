package dev.jdyno.gclog.read;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Converts UTF-16 to ASCII bytes. Windows PowerShell writes the output of a program (`java … >
/// gc.log`) as UTF-16. A log is ASCII; other characters of an application's output lose their high
/// bytes.
public final class WideText extends FilterInputStream {

    private WideText(InputStream in) {
        super(in);
    }

    /// The stream unchanged or, if it begins with the byte-order mark of UTF-16, its bytes without
    /// the zeros.
    ///
    /// @param in a stream that supports marks
    public static InputStream narrow(InputStream in) throws IOException {
        in.mark(2);
        int first = in.read();
        int second = in.read();
        if ((first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff)) {
            return new WideText(in);
        }
        in.reset();
        return in;
    }

    @Override
    public int read() throws IOException {
        int b;
        do {
            b = in.read();
        } while (b == 0);
        return b;
    }

    @Override
    public int read(byte[] b, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int kept = 0;
        while (kept == 0) {
            int n = in.read(b, from, length);
            if (n < 0) {
                return -1;
            }
            for (int i = from; i < from + n; i++) {
                if (b[i] != 0) {
                    b[from + kept++] = b[i];
                }
            }
        }
        return kept;
    }
}
