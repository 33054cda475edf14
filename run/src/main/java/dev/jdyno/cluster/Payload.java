package dev.jdyno.cluster;

import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Writes and reads a value in a message. Reading checks it, because it comes from another process.
public interface Payload<T> {
    byte[] write(T value);

    /// @throws IllegalArgumentException if the bytes are not a valid value
    T read(byte[] bytes);

    /// JSON of one complete record, whose constructor checks the values. The sender cannot choose
    /// the type.
    static <T> Payload<T> json(Class<T> type) {
        return json(type, Json.MAPPER);
    }

    /// @param mapper built from {@link #mapper}
    static <T> Payload<T> json(Class<T> type, JsonMapper mapper) {
        return new Payload<>() {
            @Override
            public byte[] write(T value) {
                return mapper.writeValueAsBytes(value);
            }

            @Override
            public T read(byte[] bytes) {
                try {
                    T value = mapper.readValue(bytes, type);
                    if (value == null) {
                        throw new IllegalArgumentException("no " + type.getSimpleName());
                    }
                    return value;
                } catch (JacksonException e) {
                    throw new IllegalArgumentException(
                            "no " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
                }
            }
        };
    }

    /// A mapper that refuses deep, long or unexpected input.
    static JsonMapper.Builder mapper() {
        return JsonMapper.builder(
                        JsonFactory.builder()
                                .streamReadConstraints(
                                        StreamReadConstraints.builder()
                                                .maxNestingDepth(Json.MAX_DEPTH)
                                                .maxStringLength(Json.MAX_TEXT)
                                                .build())
                                .build())
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /// Text in UTF-8.
    Payload<String> TEXT =
            new Payload<>() {
                @Override
                public byte[] write(String value) {
                    return value.getBytes(StandardCharsets.UTF_8);
                }

                @Override
                public String read(byte[] bytes) {
                    return new String(bytes, StandardCharsets.UTF_8);
                }
            };

    /// Holder class, so that the mapper is created with the first message.
    final class Json {
        private static final int MAX_DEPTH = 32;
        private static final int MAX_TEXT = 16 << 20;

        private static final JsonMapper MAPPER = mapper().build();

        private Json() {}
    }
}
