package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.NanoClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Servers that reply before they have read the whole request.
class EarlyReplyTest {
    private static final int REQUESTS = 6;

    /// Larger than the socket buffers of both sides, so that it cannot be sent completely without a
    /// reader.
    private static final byte[] UPLOAD = new byte[24 << 20];

    private static LoadWindow load(ScriptedServer server, Transport transport) {
        LoadSpec spec =
                LoadSpec.to(server.url())
                        .loops(1)
                        .transport(transport)
                        .method("POST")
                        .body(Body.of(UPLOAD))
                        .mostRequests(REQUESTS)
                        .build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(1, Duration.ZERO));
            return Taken.all(session);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "NIO"})
    void closesConnectionAfterPartlySentRequest(Transport transport) throws IOException {
        try (var server = ScriptedServer.saying(ScriptedServer.OK)) {
            LoadWindow w = load(server, transport);

            assertThat(w.errorKinds()).isEmpty();
            assertThat(w.requests()).isEqualTo(REQUESTS);
            assertThat(server.connections).hasValue(REQUESTS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "NIO"})
    void readsReplyBeforeResetDespiteUnsentRequest(Transport transport) throws IOException {
        String refusal = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n";
        try (var server =
                new ScriptedServer((_, out) -> {
                    out.write(refusal.getBytes(StandardCharsets.ISO_8859_1));
                    return false; // closes with the upload unread, which resets the connection
                })) {
            LoadWindow w = load(server, transport);

            assertThat(w.errorKinds()).containsOnlyKeys("status-413");
            assertThat(w.errors()).isEqualTo(REQUESTS);
        }
    }
}
