package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.WindowText;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Hostile HTTP/1.1 servers. Each causes an error with a reason, and none delays the client.
class HostileHttp1Test {
    private static LoadSpecBuilder to(ScriptedServer server) {
        return LoadSpec.to(server.url()).loops(1);
    }

    private static LoadWindow load(LoadSpecBuilder spec, Predicate<LoadWindow> enough) {
        try (var session = LoadSession.start(spec.build(), NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(1, Duration.ZERO));
            return Taken.until(session, enough);
        }
    }

    private static byte[] bytes(String text) {
        return text.replace("|", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 ', xxxxxxxxxx, HEAD_TOO_LONG",
        "'HTTP/1.1 200 OK|', 'A: bbbbbb|', HEAD_TOO_LONG",
        "'', 'HTTP/1.1 100 Continue||', INTERIM_REPLIES_TOO_MANY",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||5;', xxxxxxxxxx, CHUNK_EXTENSION_TOO_LONG",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|', 'A: bbbbbb|', TRAILERS_TOO_LONG",
        "'HTTP/1.1 200 OK|Content-Length: 2||ok', junk, BYTES_AFTER_REPLY",
    })
    void endlessReplyIsAnErrorAndClosesConnection(String start, String again, FailureReason reason)
            throws IOException {
        var cut = new AtomicBoolean();
        byte[] piece = bytes(again.repeat(2000));
        try (var server =
                new ScriptedServer((_, out) -> {
                    try {
                        out.write(bytes(start + again)); // in one write, to be read at once
                        while (!Thread.currentThread().isInterrupted()) {
                            out.write(piece);
                        }
                    } catch (IOException closed) {
                        cut.set(true);
                    }
                    return false;
                })) {
            LoadWindow w = load(to(server), x -> x.errors() >= 2 && cut.get());

            assertThat(w.requests()).isZero();
            assertThat(w.errorKinds()).containsOnlyKeys("malformed");
            assertThat(w.failures()).hasSize(1);
            assertThat(w.failures().getFirst().reason()).isEqualTo(reason);
            assertThat(w.failures().getFirst().count()).isEqualTo(w.errors());
        }
    }

    @Test
    void countsEachFaultWithAnExample() throws IOException {
        String[] replies = {
            "HTTP/1.1 200 OK|Content-Length: 3|Content-Length: 5||abc",
            "HTTP/1.1 2x0 OK||",
            "HTTP/1.1 200 OK|Content-Length: 3|Content-Length: 7||abc",
        };
        var turn = new java.util.concurrent.atomic.AtomicInteger();
        try (var server =
                new ScriptedServer((_, out) -> {
                    out.write(bytes(replies[turn.getAndIncrement() % 3]));
                    return true;
                })) {
            LoadWindow w = load(to(server).mostRequests(6), x -> x.errors() == 6);

            assertThat(w.failures())
                    .containsExactly(
                            new FailureCount(
                                    "malformed",
                                    FailureReason.CONTENT_LENGTH_TWICE,
                                    4,
                                    Optional.of("Content-Length: 3 and 5")),
                            new FailureCount(
                                    "malformed",
                                    FailureReason.STATUS_LINE_INVALID,
                                    2,
                                    Optional.of("HTTP/1.1 2x0 OK")));
        }
    }

    /// A server that sends faster than the client reads must not occupy the event loop alone.
    @ParameterizedTest
    @EnumSource(value = Transport.class, names = "NIO", mode = EnumSource.Mode.EXCLUDE)
    void endlessBodyDelaysNeitherCommandsNorTimeouts(Transport transport) throws IOException {
        byte[] head = bytes("HTTP/1.1 200 OK||");
        byte[] piece = new byte[1 << 20];
        try (var server =
                new ScriptedServer((_, out) -> {
                    out.write(head);
                    return flood(out, piece);
                })) {
            LoadSpecBuilder spec =
                    to(server)
                            .transport(transport)
                            .mostReplyBytes(Long.MAX_VALUE / 2)
                            .requestTimeout(Duration.ofSeconds(1));

            // a server that is not scheduled sends little until the first timeout
            LoadWindow w = load(spec, x -> x.errors() >= 1 && x.bytesRead() > 4L << 20);

            assertThat(w.errorKinds()).containsOnlyKeys("timeout");
        }
    }

    private static boolean flood(OutputStream out, byte[] piece) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                out.write(piece);
            }
        } catch (IOException closed) {
            return false; // a valid reply
        }
        return false;
    }

    @Test
    void longReplyIsReadCompletelyInManyTurnsOfTheLoop() throws IOException {
        byte[] body = new byte[24 << 20];
        try (var server =
                new ScriptedServer((_, out) -> {
                    out.write(bytes("HTTP/1.1 200 OK|Content-Length: " + body.length));
                    out.write(bytes("||"));
                    out.write(body);
                    return true;
                })) {
            LoadWindow w = load(to(server).mostRequests(6), x -> x.requests() == 6);

            assertThat(w.errors()).isZero();
            assertThat(w.bytesRead()).isGreaterThan(6L * body.length);
        }
    }

    @Test
    void errorNamesTlsServerOnTheHttpPort() throws IOException {
        byte[] alert = {0x15, 3, 3, 0, 2, 2, 70};
        try (var server =
                new ScriptedServer((_, out) -> {
                    out.write(alert);
                    return false;
                })) {
            LoadWindow w = load(to(server), x -> x.errors() >= 1);

            assertThat(w.failures().getFirst().reason())
                    .isEqualTo(FailureReason.PLAIN_PORT_SPEAKS_TLS);
        }
    }

    @Test
    void aReplyLongerThanAllowedIsRefusedByItsHead() throws IOException {
        try (var server =
                ScriptedServer.saying("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n")) {
            LoadWindow w = load(to(server), x -> x.errors() >= 1);

            assertThat(w.errorKinds()).containsOnlyKeys("too-large");
        }
    }

    @Test
    void windowKeepsFailureReasonsBetweenProcesses() throws IOException {
        try (var server = ScriptedServer.saying("HTTP/1.1 \u001b[2J\r\n\r\n")) {
            LoadWindow w = load(to(server), x -> x.errors() >= 1);

            LoadWindow read = WindowText.parse(WindowText.of(w));

            assertThat(read.failures()).isEqualTo(w.failures());
            assertThat(
                            LoadWindow.together(java.util.List.of(w, read))
                                    .failures()
                                    .getFirst()
                                    .count())
                    .isEqualTo(2 * w.errors());
        }
    }
}
