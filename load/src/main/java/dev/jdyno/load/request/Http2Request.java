package dev.jdyno.load.request;

import dev.jdyno.load.hpack.HpackTable;
import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.request.LoadSpec.Header;
import dev.jdyno.measure.text.Secrets;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// HTTP/2 requests as bytes: the length of the header block (4 bytes), the block, and the body.
/// Fields are indexed in HPACK's fixed table or literal; they are never added to the peer's table.
/// A block is therefore valid on every connection, and a constant request is encoded only once.
public final class Http2Request {
    public static final int LENGTH_BYTES = 4;

    /// Headers that concern one HTTP/1.1 connection and are not allowed in HTTP/2 (RFC 9113
    /// §8.2.2).
    private static final Set<String> OF_A_CONNECTION =
            Set.of(
                    "connection",
                    "keep-alive",
                    "proxy-connection",
                    "transfer-encoding",
                    "upgrade",
                    "host",
                    "http2-settings");

    private static final int INDEXED = 0x80;
    private static final int LITERAL = 0x00;

    private Http2Request() {}

    static byte[] encode(LoadSpec spec, RequestParts request) {
        List<Header> headers = request.headers();
        Body body = request.body();
        var block = new ByteArrayOutputStream(256);
        field(block, ":method", request.method());
        field(block, ":scheme", spec.isTls() ? "https" : "http");
        field(
                block,
                ":authority",
                RequestText.value(
                        headers, "host", Secrets.withoutUser(spec.url().getRawAuthority())));
        field(block, ":path", request.target());
        for (Header h : headers) {
            String name = h.name().toLowerCase(Locale.ROOT);
            if (!OF_A_CONNECTION.contains(name)) {
                field(block, name, h.value());
            }
        }
        if (!RequestText.has(headers, "user-agent")) {
            field(block, "user-agent", RequestText.USER_AGENT);
        }
        if (spec.grpc().isEmpty() // gRPC clients send no length
                && RequestText.expectsBody(request.method(), body)
                && !RequestText.has(headers, "content-length")) {
            field(block, "content-length", Integer.toString(body.length()));
        }
        byte[] head = block.toByteArray();
        byte[] all = new byte[LENGTH_BYTES + head.length + body.length()];
        all[0] = (byte) (head.length >>> 24);
        all[1] = (byte) (head.length >>> 16);
        all[2] = (byte) (head.length >>> 8);
        all[3] = (byte) head.length;
        System.arraycopy(head, 0, all, LENGTH_BYTES, head.length);
        body.copyTo(all, LENGTH_BYTES + head.length);
        return all;
    }

    /// The length of the header block of an encoded request.
    public static int headLength(byte[] request) {
        return Http2Frames.integer32(request, 0);
    }

    private static void field(ByteArrayOutputStream out, String name, String value) {
        int whole = HpackTable.fixedField(name, value);
        if (whole > 0) {
            integer(out, INDEXED, 7, whole);
            return;
        }
        int index = HpackTable.fixedName(name);
        integer(out, LITERAL, 4, index);
        if (index == 0) {
            string(out, name);
        }
        string(out, value);
    }

    private static void string(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        integer(out, 0, 7, bytes.length);
        out.writeBytes(bytes);
    }

    private static void integer(ByteArrayOutputStream out, int pattern, int prefix, int value) {
        int max = (1 << prefix) - 1;
        if (value < max) {
            out.write(pattern | value);
            return;
        }
        out.write(pattern | max);
        int rest = value - max;
        while (rest >= 0x80) {
            out.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }
}
