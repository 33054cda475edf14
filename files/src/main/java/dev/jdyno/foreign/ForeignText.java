package dev.jdyno.foreign;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whole files from an untrusted source, up to a size. A larger file is not read to its end,
/// whatever size or compression it claims.
public final class ForeignText {
    /// Maximum size of a configuration, plan or note: the largest observed ones have some hundred
    /// KiB.
    public static final int MAX_BYTES = 4 << 20;

    private static final int MIB = 1 << 20;

    private ForeignText() {}

    /// @throws Malformed when it contains more than {@link #MAX_BYTES}
    public static byte[] bytes(Path file) throws IOException {
        return bytes(file, MAX_BYTES);
    }

    /// @throws Malformed when it contains more than `max`
    public static byte[] bytes(Path file, int max) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return bytes(in, max);
        }
    }

    /// Reads a stream without closing it.
    ///
    /// @throws Malformed when it contains more than `max`
    public static byte[] bytes(InputStream in, int max) throws IOException {
        byte[] all = in.readNBytes(max);
        if (in.read() >= 0) {
            throw tooLarge(max);
        }
        return all;
    }

    /// @throws Malformed when it is larger than {@link #MAX_BYTES}
    static void requireUsual(byte[] content) throws Malformed {
        if (content.length > MAX_BYTES) {
            throw tooLarge(MAX_BYTES);
        }
    }

    private static Malformed tooLarge(int max) {
        return Malformed.of(
                "larger than "
                        + (max % MIB == 0 ? max / MIB + " MiB" : max + " bytes")
                        + ", so it is not read");
    }

    /// Decodes UTF-8, or UTF-16 if it begins with a byte order mark. The mark is removed.
    ///
    /// @throws Malformed with the line of the first invalid byte
    public static String decode(byte[] bytes) throws Malformed {
        int first = bytes.length > 0 ? bytes[0] & 0xff : 0;
        int second = bytes.length > 1 ? bytes[1] & 0xff : 0;
        boolean wide = (first == 0xfe && second == 0xff) || (first == 0xff && second == 0xfe);
        String text = decode(bytes, wide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    /// @throws Malformed with the line of the first invalid byte
    public static String decode(byte[] bytes, Charset charset) throws Malformed {
        CharsetDecoder decoder =
                charset.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isError()) {
            out.flip();
            throw Malformed.at(
                    lineAt(out, out.length()), "a byte that is not " + charset.name() + " text");
        }
        decoder.flush(out);
        return out.flip().toString();
    }

    /// The line of an offset, from 1.
    static int lineAt(CharSequence text, int offset) {
        int line = 1;
        for (int i = 0; i < Math.min(offset, text.length()); i++) {
            line += text.charAt(i) == '\n' ? 1 : 0;
        }
        return line;
    }
}
