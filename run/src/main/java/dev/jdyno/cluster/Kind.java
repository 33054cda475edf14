package dev.jdyno.cluster;

/// One kind of message: its number on the wire, and how its payload is written and checked.
///
/// @param id number on the wire, equal in all processes; numbers below 100 are for the group's own
///   messages
/// @param mostBytes maximum length of a payload; a longer one is refused before it is read
public record Kind<T>(int id, String name, int mostBytes, Payload<T> payload) {
    /// Maximum length of a frame; larger data are sent in parts.
    public static final int MAX_BYTES = 64 << 20;

    public Kind {
        if (id < 0 || id > Short.MAX_VALUE || mostBytes < 0 || mostBytes > MAX_BYTES) {
            throw new IllegalArgumentException("message kind " + name);
        }
    }

    /// A kind whose payload is JSON of a record.
    public static <T> Kind<T> json(int id, int mostBytes, Class<T> type) {
        return new Kind<>(id, type.getSimpleName(), mostBytes, Payload.json(type));
    }

    /// @throws IllegalArgumentException if the payload is too long, or is not of this kind
    T read(byte[] bytes) {
        if (bytes.length > mostBytes) {
            throw new IllegalArgumentException("too long for " + name);
        }
        return payload.read(bytes);
    }

    /// A question and the kind of its answer.
    public record Call<Q, A>(Kind<Q> question, Kind<A> answer) {}
}
