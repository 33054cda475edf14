package dev.jdyno.load;

import static dev.jdyno.load.ScriptedHttp2Server.STATUS_200;
import static dev.jdyno.load.ScriptedHttp2Server.bytes;
import static dev.jdyno.load.ScriptedHttp2Server.integer;
import static dev.jdyno.load.ScriptedHttp2Server.okBytes;
import static dev.jdyno.load.ScriptedHttp2Server.setting;
import static dev.jdyno.load.http2.Http2Frames.ACK;
import static dev.jdyno.load.http2.Http2Frames.CONTINUATION;
import static dev.jdyno.load.http2.Http2Frames.DATA;
import static dev.jdyno.load.http2.Http2Frames.END_HEADERS;
import static dev.jdyno.load.http2.Http2Frames.END_STREAM;
import static dev.jdyno.load.http2.Http2Frames.GOAWAY;
import static dev.jdyno.load.http2.Http2Frames.HEADERS;
import static dev.jdyno.load.http2.Http2Frames.PADDED;
import static dev.jdyno.load.http2.Http2Frames.PING;
import static dev.jdyno.load.http2.Http2Frames.RST_STREAM;
import static dev.jdyno.load.http2.Http2Frames.SETTINGS;
import static dev.jdyno.load.http2.Http2Frames.WINDOW_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.ScriptedHttp2Server.Script;
import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.Body;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The HTTP/2 client with a server that is scripted frame by frame.
class Http2Test {
    private static final byte[] NO_SETTINGS = {};
    private static final Level.Closed ONE = new Level.Closed(1, Duration.ZERO);
    private static final Script OK =
            (_, number, peer) -> {
                if (number > 0) {
                    peer.ok(2 * number - 1);
                }
            };

    private static LoadSpecBuilder to(ScriptedHttp2Server server, int streams) {
        return LoadSpec.to(server.url()).loops(1).http2(streams);
    }

    private static LoadWindow load(LoadSpecBuilder spec, Predicate<LoadWindow> enough) {
        try (var session = LoadSession.start(spec.build(), NanoClock.SYSTEM)) {
            session.apply(ONE);
            return Taken.until(session, enough);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "NIO"})
    void manyStreamsShareOneConnection(Transport transport) throws IOException {
        try (var server = new ScriptedHttp2Server(NO_SETTINGS, OK)) {
            LoadWindow w = load(to(server, 8).transport(transport), x -> x.requests() >= 200);

            assertThat(w.errors()).isZero();
            assertThat(w.statuses()).containsOnlyKeys(200);
            assertThat(w.latencyNanos().getTotalCount()).isEqualTo(w.requests());
            assertThat(server.connections).hasValue(1);
            assertThat(server.frames.element().type()).isEqualTo(SETTINGS);
        }
    }

    @Test
    void openModelUsesAnyFreeStream() throws IOException {
        try (var server = new ScriptedHttp2Server(NO_SETTINGS, OK);
                var session = LoadSession.start(to(server, 10).build(), NanoClock.SYSTEM)) {
            session.apply(new Level.Open(2, 500, Arrivals.CONSTANT));

            LoadWindow w = Taken.atRate(session, 1, 350, 650);

            assertThat(w.qps()).isBetween(350.0, 650.0);
            assertThat(w.errors()).isZero();
            assertThat(server.connections).hasValue(2);
        }
    }

    @Test
    void countsRequestsThatWaitForStreamLimit() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        setting(Http2Frames.SETTINGS_MAX_CONCURRENT_STREAMS, 2), OK)) {
            LoadWindow w = load(to(server, 5), x -> x.requests() >= 100);

            assertThat(w.errors()).isZero();
            assertThat(w.detours().streamWaits()).isPositive();
        }
    }

    /// A body of 30 KB is sent in pieces up to the window, which the server enlarges at any time.
    @Test
    void aBodyWaitsForTheServersWindows() throws IOException {
        byte[] body = new byte[30_000];
        int[] received = new int[1];
        int[] largest = new int[1];
        try (var server =
                new ScriptedHttp2Server(
                        setting(Http2Frames.SETTINGS_INITIAL_WINDOW_SIZE, 1000),
                        (frame, number, peer) -> {
                            if (frame.type() == DATA) {
                                received[0] += frame.payload().length();
                                largest[0] = Math.max(largest[0], frame.payload().length());
                                byte[] more = integer(frame.payload().length());
                                peer.frame(WINDOW_UPDATE, 0, frame.stream(), more);
                                peer.frame(WINDOW_UPDATE, 0, 0, more);
                            }
                            if (number > 0) {
                                peer.ok(2 * number - 1);
                            }
                        })) {
            LoadWindow w =
                    load(
                            to(server, 1).method("POST").body(Body.of(body)).mostRequests(1),
                            x -> x.requests() == 1);

            assertThat(w.errors()).isZero();
            assertThat(received[0]).isEqualTo(30_000);
            assertThat(largest[0]).isLessThanOrEqualTo(1000);
        }
    }

    @Test
    void requestsThatTheServerRefusesAreSentAgain() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number % 4 == 1) {
                                peer.frame(RST_STREAM, 0, 2 * number - 1, integer(7));
                            } else if (number > 0) {
                                peer.ok(2 * number - 1);
                            }
                        })) {
            LoadWindow w = load(to(server, 1), x -> x.requests() >= 40);

            assertThat(w.errors()).isZero();
            assertThat(w.detours().retried()).isPositive();
            assertThat(server.connections).hasValue(1);
        }
    }

    @Test
    void aServerThatRefusesForEverIsAnError() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number > 0) {
                                peer.frame(RST_STREAM, 0, 2 * number - 1, integer(7));
                            }
                        })) {
            LoadWindow w = load(to(server, 1), x -> x.errors() >= 3);

            assertThat(w.errorKinds()).containsOnlyKeys("stream-refused");
            assertThat(w.requests()).isZero();
        }
    }

    /// The last accepted request is answered on the old connection, the others move to a new one.
    /// No request is lost.
    @Test
    void goawayMovesRequestsToANewConnection() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number == 10) {
                                peer.frame(
                                        GOAWAY, 0, 0, HexFormat.of().parseHex("0000001300000000"));
                            }
                            if (number > 0 && number <= 10) {
                                peer.ok(2 * number - 1);
                            }
                        })) {
            LoadWindow w = load(to(server, 3), x -> x.requests() >= 45);

            assertThat(w.errors()).isZero();
            assertThat(server.connections.get()).isGreaterThanOrEqualTo(4);
        }
    }

    /// nginx with `keepalive_requests 3` and 20 streams refuses most requests of each connection.
    /// Each request must still be sent.
    @Test
    void reconnectsToServerWithFewRequestsPerConnection() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number == 3) {
                                peer.frame(
                                        GOAWAY, 0, 0, HexFormat.of().parseHex("0000000500000000"));
                            }
                            if (number > 0 && number <= 3) {
                                peer.ok(2 * number - 1);
                            }
                        })) {
            LoadWindow w = load(to(server, 20), x -> x.requests() >= 300);

            assertThat(w.errors()).isZero();
            assertThat(w.detours().retried()).isGreaterThan(300);
            assertThat(server.connections.get()).isGreaterThanOrEqualTo(100);
        }
    }

    @Test
    void brokenStreamFailsOnlyItsOwnRequest() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number % 5 == 2) {
                                peer.frame(RST_STREAM, 0, 2 * number - 1, integer(2));
                            } else if (number > 0) {
                                peer.ok(2 * number - 1);
                            }
                        })) {
            LoadWindow w = load(to(server, 2), x -> x.requests() >= 40);

            assertThat(w.errorKinds()).containsOnlyKeys("stream-reset");
            assertThat(w.failures())
                    .containsExactly(
                            new FailureCount(
                                    "stream-reset",
                                    FailureReason.STREAM_RESET,
                                    w.errors(),
                                    Optional.of("INTERNAL_ERROR")));
            assertThat(server.connections).hasValue(1);
        }
    }

    @Test
    void aTimedOutRequestIsCancelledAndTheOthersGoOn() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number > 1) {
                                peer.ok(2 * number - 1);
                            }
                        })) {
            LoadWindow w =
                    load(
                            // a stop of the machine must be shorter: it would look like silence
                            to(server, 2).requestTimeout(Duration.ofSeconds(5)),
                            x ->
                                    x.errors() > 0
                                            && x.requests() > 10
                                            // the client counts before the server reads
                                            && server.count(RST_STREAM) >= x.errors());

            assertThat(w.errorKinds()).containsOnlyKeys("timeout");
            assertThat(server.connections).hasValue(1);
            assertThat(server.count(RST_STREAM)).isEqualTo(w.errors());
        }
    }

    @Test
    void pingsAreAnswered() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number > 0) {
                                peer.frame(PING, 0, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
                                peer.ok(2 * number - 1);
                            }
                        })) {
            load(to(server, 1), x -> x.requests() >= 5 && server.count(PING) >= 5);

            assertThat(server.frames)
                    .filteredOn(f -> f.type() == PING)
                    .allSatisfy(f -> {
                        assertThat(f.flags()).isEqualTo(ACK);
                        assertThat(f.payload().shared()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
                    });
        }
    }

    /// An interim reply, a head in three pieces, padded DATA, an unknown frame and trailers, each
    /// of them also byte by byte.
    @ParameterizedTest
    @CsvSource({"1", "7", "100000"})
    void splitPaddedAndUnknownFramesAreAccepted(int piece) throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            int id = 2 * number - 1;
                            if (number == 0) {
                                return;
                            }
                            var all = new ByteArrayOutputStream();
                            byte[] early = HexFormat.of().parseHex("0803313033"); // :status: 103
                            all.writeBytes(bytes(HEADERS, END_HEADERS, id, early));
                            all.writeBytes(bytes(HEADERS, 0, id, STATUS_200));
                            byte[] length = HexFormat.of().parseHex("0f0d"); // content-length …
                            all.writeBytes(bytes(CONTINUATION, 0, id, length));
                            byte[] four = HexFormat.of().parseHex("0134");
                            all.writeBytes(bytes(CONTINUATION, END_HEADERS, id, four));
                            all.writeBytes(
                                    bytes(DATA, PADDED, id, new byte[] {3, 'a', 'b', 0, 0, 0}));
                            all.writeBytes(bytes(0x77, 0xff, id, new byte[] {9, 9}));
                            all.writeBytes(bytes(DATA, 0, id, new byte[] {'c', 'd'}));
                            byte[] trailer =
                                    HexFormat.of().parseHex("000161 0162".replace(" ", ""));
                            all.writeBytes(bytes(HEADERS, END_HEADERS | END_STREAM, id, trailer));
                            byte[] b = all.toByteArray();
                            for (int at = 0; at < b.length; at += piece) {
                                peer.raw(
                                        java.util.Arrays.copyOfRange(
                                                b, at, Math.min(b.length, at + piece)));
                            }
                        })) {
            LoadWindow w = load(to(server, 2), x -> x.requests() + x.errors() >= 20);

            assertThat(w.failures()).isEmpty();
            assertThat(w.errors()).isZero();
        }
    }

    /// The server's answer to the first request, in hexadecimal, and its result.
    @ParameterizedTest
    @CsvSource({
        // content-length: 3, but two bytes
        "'0000050104 00000001 88 0f0d0133  0000020001 00000001 0000', malformed,"
                + " BODY_LENGTH_DIFFERS",
        "'0000020001 00000001 0000', malformed, DATA_BEFORE_HEAD",
        // a head without :status
        "'0000050105 00000001 0001610162', malformed, STATUS_MISSING",
        // :status: 101
        "'0000050104 00000001 0803313031', malformed, UPGRADE_UNASKED",
        // two heads
        "'0000010104 00000001 88 0000010104 00000001 88', malformed, TRAILERS_NOT_LAST",
        "'0000010104 00000003 88', malformed, FRAME_ON_UNKNOWN_STREAM",
        "'0000010104 00000001 be', malformed, HEADER_COMPRESSION_BROKEN",
        "'0000040500 00000001 00000002', malformed, PUSH_FORBIDDEN",
        "'0000010100 00000001 88 0000080600 00000000 0000000000000000', malformed,"
                + " HEADER_BLOCK_INTERRUPTED",
        "'ffffff0000 00000001', malformed, FRAME_TOO_LONG",
        "'0000080700 00000000 0000000100000002', goaway, SERVER_GOES_AWAY",
        "'0000040800 00000000 00000000', malformed, WINDOW_INVALID",
    })
    void aServerThatBreaksTheProtocolIsAnErrorByKind(String hex, String kind, FailureReason why)
            throws IOException {
        byte[] said = HexFormat.of().parseHex(hex.replace(" ", ""));
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number == 1) {
                                peer.raw(said);
                                if (kind.equals("goaway")) {
                                    peer.close();
                                }
                            }
                        })) {
            LoadWindow w =
                    load(to(server, 1).requestTimeout(Duration.ofMinutes(1)), x -> x.errors() >= 1);

            assertThat(w.errorKinds()).containsKey(kind);
            assertThat(w.failures())
                    .anySatisfy(f -> {
                        assertThat(f.kind()).isEqualTo(kind);
                        assertThat(f.reason()).isEqualTo(why);
                    });
            assertThat(w.requests()).isZero();
        }
    }

    @Test
    void aServerOfHttp1IsNamed() throws IOException {
        try (var server = ScriptedServer.saying("HTTP/1.1 400 Bad Request\r\n\r\n")) {
            LoadWindow w = load(LoadSpec.to(server.url()).loops(1).http2(2), x -> x.errors() >= 2);

            assertThat(w.failures().getFirst().reason()).isEqualTo(FailureReason.NOT_HTTP2);
            assertThat(w.failures().getFirst().example()).contains("HTTP/1.1 400 Bad Request\\r");
        }
    }

    @Test
    void cutConnectionGivesErrorsWithoutHang() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number == 20) {
                                peer.close();
                            } else if (number > 0) {
                                peer.raw(okBytes(2 * number - 1));
                            }
                        })) {
            LoadWindow w = load(to(server, 4), x -> x.requests() >= 60 && x.errors() >= 2);

            assertThat(w.errorKinds().keySet()).isSubsetOf("closed", "reset");
        }
    }
}
