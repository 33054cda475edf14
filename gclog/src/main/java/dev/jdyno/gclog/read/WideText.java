package dev.jdyno.gclog.read;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// UTF-16 as bytes of ASCII: Windows PowerShell writes what a program prints (`java … > gc.log`)
/// so. A log is ASCII; what of an application's output is not loses its high bytes.
public final class WideText extends FilterInputStream {

    private WideText(InputStream in) {
        super(in);
    }

    /// The stream as it is, or, when it begins with UTF-16's mark, its bytes without the zeros.
    ///
    /// @param in supports marks
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
