package dev.jdyno.load.request;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The body of a request: bytes that nobody can change.
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

    /// As UTF-8.
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// The bytes themselves, for the kernel to read: nobody writes to them.
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
