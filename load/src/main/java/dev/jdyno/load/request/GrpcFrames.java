package dev.jdyno.load.request;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/// Messages with the prefix that gRPC puts before each: a flag (1 means compressed) and the length
/// in four bytes.
public final class GrpcFrames {
    public static final int PREFIX_BYTES = 5;

    /// Maximum size of a decompressed message in bytes; a larger one is refused.
    private static final int MAX_BYTES = 4 << 20;

    private GrpcFrames() {}

    static byte[] frame(byte[] message, boolean gzip) {
        byte[] content = gzip ? compressed(message) : message;
        byte[] all = new byte[PREFIX_BYTES + content.length];
        all[0] = (byte) (gzip ? 1 : 0);
        all[1] = (byte) (content.length >>> 24);
        all[2] = (byte) (content.length >>> 16);
        all[3] = (byte) (content.length >>> 8);
        all[4] = (byte) content.length;
        System.arraycopy(content, 0, all, PREFIX_BYTES, content.length);
        return all;
    }

    /// The first message of a body.
    ///
    /// @throws IllegalArgumentException if the body contains no complete message, or if its
    ///   compression is broken or expands to more than 4 MiB
    public static byte[] firstMessage(byte[] body) {
        if (body.length < PREFIX_BYTES) {
            throw new IllegalArgumentException("the reply has no message");
        }
        long length = length(body, 1);
        if (length > body.length - PREFIX_BYTES) {
            throw new IllegalArgumentException("the message is longer than what was kept of it");
        }
        byte[] content = Arrays.copyOfRange(body, PREFIX_BYTES, PREFIX_BYTES + (int) length);
        return body[0] == 0 ? content : decompressed(content);
    }

    static long length(byte[] b, int at) {
        return ((b[at] & 0xffL) << 24)
                | ((b[at + 1] & 0xff) << 16)
                | ((b[at + 2] & 0xff) << 8)
                | (b[at + 3] & 0xff);
    }

    private static byte[] compressed(byte[] message) {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(message);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] decompressed(byte[] content) {
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(content))) {
            byte[] message = gzip.readNBytes(MAX_BYTES + 1);
            if (message.length > MAX_BYTES) {
                throw new IllegalArgumentException("the message has more than 4 MiB unpacked");
            }
            return message;
        } catch (IOException e) {
            throw new IllegalArgumentException("the message's compression is broken", e);
        }
    }
}
