package dev.jdyno.cluster;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The encodings of DER (X.690) that jdyno's own certificates need.
final class Der {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT_ID = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT_0 = 0xa0;
    private static final int SHORT_LENGTH = 0x80;

    private Der() {}

    private static byte[] of(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        var whole = new ByteArrayOutputStream();
        whole.write(tag);
        int length = content.size();
        if (length < SHORT_LENGTH) {
            whole.write(length);
        } else {
            whole.write(SHORT_LENGTH | 2);
            whole.write(length >> 8);
            whole.write(length);
        }
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }

    static byte[] sequence(byte[]... parts) {
        return of(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return of(SET, parts);
    }

    static byte[] context0(byte[] inner) {
        return of(CONTEXT_0, inner);
    }

    static byte[] integer(int small) {
        return of(INTEGER, new byte[] {(byte) small});
    }

    /// @param encoded the arcs of the identifier, encoded
    static byte[] objectId(int... encoded) {
        byte[] bytes = new byte[encoded.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) encoded[i];
        }
        return of(OBJECT_ID, bytes);
    }

    static byte[] utf8(String text) {
        return of(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /// @param text as `20260101000000Z`
    static byte[] time(String text) {
        return of(GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] bits(byte[] whole) {
        byte[] none = new byte[1]; // no bits are unused
        return of(BIT_STRING, none, Arrays.copyOf(whole, whole.length));
    }
}
