package dev.jdyno.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/// Passes bytes that are printed to a stream as text to a writer. Bytes that are not valid UTF-8
/// become the replacement character.
public final class CleanStream extends OutputStream {
    private static final int CHUNK = 1024;

    private final Writer to;
    private final CharsetDecoder decoder =
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE);

    /// Bytes of an incomplete character, and the bytes that follow.
    private final ByteBuffer bytes = ByteBuffer.allocate(CHUNK);

    private final CharBuffer characters = CharBuffer.allocate(CHUNK);

    private CleanStream(Writer to) {
        this.to = to;
    }

    public static PrintStream into(Writer to) {
        return new PrintStream(new CleanStream(to), true, StandardCharsets.UTF_8);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] text, int from, int count) throws IOException {
        int at = from;
        while (at < from + count) {
            int some = Math.min(bytes.remaining(), from + count - at);
            bytes.put(text, at, some);
            at += some;
            bytes.flip();
            // A chunk of bytes never decodes to more characters than it has bytes.
            var _ = decoder.decode(bytes, characters.clear(), false);
            bytes.compact();
            characters.flip();
            to.append(characters);
        }
    }

    @Override
    public void flush() throws IOException {
        to.flush();
    }
}
