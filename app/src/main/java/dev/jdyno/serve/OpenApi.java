package dev.jdyno.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// The OpenAPI description of the JSON documents of the server.
final class OpenApi {
    private OpenApi() {}

    static String document() {
        try (InputStream in =
                Objects.requireNonNull(OpenApi.class.getResourceAsStream("openapi.json"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
