package dev.jdyno.load.request;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The immutable body of a request.
public final class Body {
    public static final Body NONE = new Body(new byte[0]);

    private final byte[] bytes;

    private Body(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Body of(byte[] bytes) {
        return new Body(bytes.clone());
    }

    public static Body of(String text) {
        return new Body(text.getBytes(StandardCharsets.UTF_8));
    }

    public int length() {
        return bytes.length;
    }

    /// The body as text, decoded from UTF-8.
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// The internal array, for the kernel to read. The caller must not write to it.
    public byte[] shared() {
        return bytes;
    }

    void copyTo(byte[] target, int offset) {
        System.arraycopy(bytes, 0, target, offset, bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Body b && Arrays.equals(bytes, b.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
