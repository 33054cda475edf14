package dev.jdyno.cluster;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A message as the group transmits it: version, kind, payload.
final class Frame {
    /// Version of the messages and of the door. Processes of different versions do not work
    /// together.
    static final int VERSION = 4;

    private static final int HEAD_BYTES = 1 + 2;

    private final int kind;
    private final byte[] payload;

    Frame(int kind, byte[] payload) {
        this.kind = kind;
        this.payload = payload;
    }

    int kind() {
        return kind;
    }

    byte[] payload() {
        return payload;
    }

    byte[] bytes() {
        return ByteBuffer.allocate(HEAD_BYTES + payload.length)
                .put((byte) VERSION)
                .putShort((short) kind)
                .put(payload)
                .array();
    }

    /// @throws IllegalArgumentException if it is not a frame of this version
    static Frame of(byte[] bytes) {
        if (bytes.length < HEAD_BYTES) {
            throw new IllegalArgumentException("a message of " + bytes.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int version = in.get();
        if (version != VERSION) {
            throw new IllegalArgumentException("a message of version " + version);
        }
        return new Frame(in.getShort(), Arrays.copyOfRange(bytes, HEAD_BYTES, bytes.length));
    }
}
