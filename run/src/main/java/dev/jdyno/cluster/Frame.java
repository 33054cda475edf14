package dev.jdyno.cluster;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A message as the group carries it: version, role, kind, number, payload.
final class Frame {
    /// Of the messages and of the door. Processes of different versions do not work together.
    static final int VERSION = 1;

    private static final int HEAD_BYTES = 1 + 1 + 2 + 8;

    enum Role {
        ONE_WAY(0),
        QUESTION(1),
        ANSWER(2),
        /// The answer is a {@link Refusal}.
        REFUSAL(3);

        private final int code;

        Role(int code) {
            this.code = code;
        }

        private static Role of(int code) {
            for (Role role : values()) {
                if (role.code == code) {
                    return role;
                }
            }
            throw new IllegalArgumentException("a message with role " + code);
        }
    }

    private final Role role;
    private final int kind;
    private final long number;
    private final byte[] payload;

    /// @param number that an answer repeats; 0 where none is wanted
    Frame(Role role, int kind, long number, byte[] payload) {
        this.role = role;
        this.kind = kind;
        this.number = number;
        this.payload = payload;
    }

    Role role() {
        return role;
    }

    int kind() {
        return kind;
    }

    long number() {
        return number;
    }

    byte[] payload() {
        return payload;
    }

    byte[] bytes() {
        return ByteBuffer.allocate(HEAD_BYTES + payload.length)
                .put((byte) VERSION)
                .put((byte) role.code)
                .putShort((short) kind)
                .putLong(number)
                .put(payload)
                .array();
    }

    /// @throws IllegalArgumentException when it is no frame of this version
    static Frame of(byte[] bytes, int offset, int length) {
        if (length < HEAD_BYTES) {
            throw new IllegalArgumentException("a message of " + length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        int version = in.get();
        if (version != VERSION) {
            throw new IllegalArgumentException("a message of version " + version);
        }
        Role role = Role.of(in.get());
        int kind = in.getShort();
        long number = in.getLong();
        return new Frame(
                role,
                kind,
                number,
                Arrays.copyOfRange(bytes, offset + HEAD_BYTES, offset + length));
    }
}
