package dev.jdyno.load;

import static dev.jdyno.load.ScriptedHttp2Server.bytes;
import static dev.jdyno.load.ScriptedHttp2Server.integer;
import static dev.jdyno.load.ScriptedHttp2Server.setting;
import static dev.jdyno.load.http2.Http2Frames.ACK;
import static dev.jdyno.load.http2.Http2Frames.CONTINUATION;
import static dev.jdyno.load.http2.Http2Frames.DATA;
import static dev.jdyno.load.http2.Http2Frames.END_HEADERS;
import static dev.jdyno.load.http2.Http2Frames.END_STREAM;
import static dev.jdyno.load.http2.Http2Frames.HEADERS;
import static dev.jdyno.load.http2.Http2Frames.PING;
import static dev.jdyno.load.http2.Http2Frames.RST_STREAM;
import static dev.jdyno.load.http2.Http2Frames.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Hostile HTTP/2 servers. Each causes an error with a reason and a closed connection. None makes
/// the client use more memory or hang.
class HostileHttp2Test {
    private static final byte[] NO_SETTINGS = {};

    private static LoadSpecBuilder to(ScriptedHttp2Server server) {
        return LoadSpec.to(server.url()).loops(1).http2(1).requestTimeout(Duration.ofMinutes(1));
    }

    private static LoadWindow load(LoadSpecBuilder spec, Predicate<LoadWindow> enough) {
        try (var session = LoadSession.start(spec.build(), NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(1, Duration.ZERO));
            return Taken.until(session, enough);
        }
    }

    /// The server's answer to the first request of each connection.
    interface Answer {
        void to(int stream, ScriptedHttp2Server.Peer peer) throws IOException;
    }

    /// The common reason of all failed requests. A second connection proves that the first was
    /// closed, because the client has one at a time.
    private static FailureReason reason(Answer answer) throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number == 1) {
                                answer.to(1, peer);
                            }
                        })) {
            LoadWindow w = load(to(server), x -> x.errors() >= 1 && server.connections.get() >= 2);

            assertThat(w.requests()).isZero();
            assertThat(w.errorKinds()).containsOnlyKeys("malformed");
            assertThat(w.failures()).hasSize(1);
            FailureCount failure = w.failures().getFirst();
            assertThat(failure.count()).isEqualTo(w.errors());
            return failure.reason();
        }
    }

    private static void flood(ScriptedHttp2Server.Peer peer, int times, byte[] frame)
            throws IOException {
        int together = 1000;
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < together; i++) {
            all.writeBytes(frame);
        }
        for (int i = 0; i < times; i += together) {
            peer.raw(all.toByteArray());
        }
    }

    /// An entry of 4,000 bytes is added to the table once. Each further byte refers to it.
    @ParameterizedTest
    @CsvSource({"200", "16000"})
    void limitsHeaderBlockByDecodedLength(int references) throws IOException {
        var block = new ByteArrayOutputStream();
        block.writeBytes(ScriptedHttp2Server.STATUS_200);
        block.writeBytes(HexFormat.of().parseHex("400178")); // a literal to store, name "x"
        block.writeBytes(HexFormat.of().parseHex("7fa11e")); // value of 4,000 bytes
        block.writeBytes("v".repeat(4000).getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < references; i++) {
            block.write(0xbe); // entry 62, the newest
        }
        byte[] whole = block.toByteArray();
        var frames = new ByteArrayOutputStream();
        for (int at = 0; at < whole.length; at += 16_000) {
            int end = Math.min(whole.length, at + 16_000);
            frames.writeBytes(
                    bytes(
                            at == 0 ? HEADERS : CONTINUATION,
                            end == whole.length ? END_HEADERS : 0,
                            1,
                            java.util.Arrays.copyOfRange(whole, at, end)));
        }

        assertThat(reason((_, peer) -> peer.raw(frames.toByteArray())))
                .isEqualTo(FailureReason.HEADER_LIST_TOO_LONG);
    }

    @Test
    void emptyContinuationsWithoutEndAreRefused() throws IOException {
        FailureReason reason =
                reason((stream, peer) -> {
                    peer.frame(HEADERS, 0, stream, ScriptedHttp2Server.STATUS_200);
                    flood(peer, 10_000, bytes(CONTINUATION, 0, stream, new byte[0]));
                });

        assertThat(reason).isEqualTo(FailureReason.CONTINUATIONS_TOO_MANY);
    }

    @Test
    void aHeaderBlockWithoutEndIsRefused() throws IOException {
        byte[] literals = "\u0000\u0001a\u0001b".repeat(3000).getBytes(StandardCharsets.ISO_8859_1);
        FailureReason reason =
                reason((stream, peer) -> {
                    peer.frame(HEADERS, 0, stream, ScriptedHttp2Server.STATUS_200);
                    for (int i = 0; i < 60; i++) {
                        peer.frame(CONTINUATION, 0, stream, literals);
                    }
                });

        assertThat(reason).isEqualTo(FailureReason.HEAD_TOO_LONG);
    }

    @Test
    void interimRepliesWithoutEndAreRefused() throws IOException {
        byte[] early = HexFormat.of().parseHex("0803313033"); // :status: 103
        FailureReason reason =
                reason((stream, peer) ->
                        flood(peer, 10_000, bytes(HEADERS, END_HEADERS, stream, early)));

        assertThat(reason).isEqualTo(FailureReason.INTERIM_REPLIES_TOO_MANY);
    }

    /// Meanwhile the thread of the script neither writes nor reads, so the replies accumulate.
    @ParameterizedTest
    @CsvSource({"6, 8", "4, 0", "4, 6"})
    void limitsPingsOfServerThatDoesNotReadReplies(int type, int length) throws IOException {
        byte[] frame = bytes(type, 0, 0, new byte[length]);

        assertThat(reason((_, peer) -> flood(peer, 2_000_000, frame)))
                .isIn(FailureReason.ACKS_UNREAD_TOO_MANY, FailureReason.FRAMES_USELESS_TOO_MANY);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0", // empty DATA on the open stream
        "119, 0", // unknown type
        "2, 5", // PRIORITY
    })
    void stopsReadingEmptyFrames(int type, int length) throws IOException {
        byte[] frame = bytes(type, 0, 1, new byte[length]);
        FailureReason reason =
                reason((stream, peer) -> {
                    peer.frame(HEADERS, END_HEADERS, stream, ScriptedHttp2Server.STATUS_200);
                    flood(peer, 200_000, frame);
                });

        assertThat(reason).isEqualTo(FailureReason.FRAMES_USELESS_TOO_MANY);
    }

    @Test
    void acceptsPingsWhileRepliesArrive() throws IOException {
        var pings = new ByteArrayOutputStream();
        for (int i = 0; i < 300; i++) {
            pings.writeBytes(bytes(PING, 0, 0, new byte[8]));
        }
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number > 0) {
                                peer.raw(pings.toByteArray());
                                peer.ok(2 * number - 1);
                            }
                        })) {
            LoadWindow w = load(to(server), x -> x.requests() + x.errors() >= 500);

            assertThat(w.failures()).isEmpty();
            assertThat(server.connections).hasValue(1);
        }
    }

    @Test
    void aFrameOfManySettingsIsRefused() throws IOException {
        var settings = new ByteArrayOutputStream();
        for (int i = 0; i < 33; i++) {
            settings.writeBytes(setting(Http2Frames.SETTINGS_INITIAL_WINDOW_SIZE, 1000 + i));
        }

        assertThat(reason((_, peer) -> peer.frame(SETTINGS, 0, 0, settings.toByteArray())))
                .isEqualTo(FailureReason.SETTINGS_TOO_MANY);
    }

    /// Stream numbers follow a rule, so a server can reply to requests that it has not read. For
    /// each such reply, the client would store one more request.
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void refusesRepliesToUnsentRequests(boolean good) throws IOException {
        var ahead = new ByteArrayOutputStream();
        ahead.writeBytes(ScriptedHttp2Server.okBytes(1));
        for (int id = 3; id < 2001; id += 2) {
            ahead.writeBytes(
                    good
                            ? bytes(
                                    HEADERS,
                                    END_HEADERS | END_STREAM,
                                    id,
                                    ScriptedHttp2Server.STATUS_200)
                            : bytes(RST_STREAM, 0, id, integer(2)));
        }
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number == 1) {
                                peer.raw(ahead.toByteArray());
                            }
                        })) {
            LoadWindow w = load(to(server), x -> x.errorKinds().containsKey("malformed"));

            assertThat(w.failures())
                    .anySatisfy(f ->
                            assertThat(f.reason()).isEqualTo(FailureReason.REPLY_BEFORE_REQUEST));
        }
    }

    /// A user pauses after a failed request, and a connection without users is closed. Only many
    /// users and an unanswered request allow many stream resets.
    @Test
    void repeatedStreamResetsCloseConnection() throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number > 1) {
                                peer.frame(RST_STREAM, 0, 2 * number - 1, integer(2));
                            }
                        })) {
            LoadWindow w =
                    load(to(server).http2(200), x -> x.errorKinds().containsKey("malformed"));

            assertThat(w.errorKinds().get("stream-reset")).isGreaterThanOrEqualTo(1000);
            assertThat(w.failures())
                    .anySatisfy(f ->
                            assertThat(f.reason()).isEqualTo(FailureReason.STREAM_RESETS_TOO_MANY));
        }
    }

    /// DATA at full speed on a stream that the client has cancelled.
    @Test
    void endlessDataDelaysNeitherCommandsNorTimeouts() throws IOException {
        byte[] frame = bytes(DATA, 0, 1, new byte[16_000]);
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number == 1) {
                                peer.frame(HEADERS, END_HEADERS, 1, ScriptedHttp2Server.STATUS_200);
                                flood(peer, 2_000_000, frame);
                            }
                        })) {
            LoadSpecBuilder spec =
                    to(server)
                            .mostReplyBytes(Long.MAX_VALUE / 2)
                            .requestTimeout(Duration.ofSeconds(1));

            LoadWindow w =
                    load(
                            spec,
                            // a server that is not scheduled sends little until the first timeout
                            x -> x.errorKinds().containsKey("timeout") && x.bytesRead() > 4L << 20);

            assertThat(w.errorKinds()).containsKey("timeout");
        }
    }

    /// A server that allows no stream at first, and some streams later.
    @Test
    void sendsWaitingRequestsWhenServerAllowsMoreStreams() throws IOException {
        byte[] none = setting(Http2Frames.SETTINGS_MAX_CONCURRENT_STREAMS, 0);
        byte[] some = setting(Http2Frames.SETTINGS_MAX_CONCURRENT_STREAMS, 10);
        try (var server =
                new ScriptedHttp2Server(
                        none,
                        (frame, number, peer) -> {
                            if (frame.type() == SETTINGS && frame.flags() == ACK) {
                                peer.frame(SETTINGS, 0, 0, some);
                            }
                            if (number > 0) {
                                peer.ok(2 * number - 1);
                            }
                        })) {
            LoadWindow w = load(to(server), x -> x.requests() + x.errors() >= 5);

            assertThat(w.errors()).isZero();
            assertThat(w.detours().streamWaits()).isPositive();
        }
    }

    @Test
    void shortensAndEscapesTextOfGoAway() throws IOException {
        var goodbye = new ByteArrayOutputStream();
        goodbye.writeBytes(integer(1));
        goodbye.writeBytes(integer(11));
        goodbye.writeBytes("\u001b[2J".repeat(1000).getBytes(StandardCharsets.ISO_8859_1));
        try (var server =
                new ScriptedHttp2Server(
                        NO_SETTINGS,
                        (_, number, peer) -> {
                            if (number == 1) {
                                peer.frame(Http2Frames.GOAWAY, 0, 0, goodbye.toByteArray());
                                peer.close();
                            }
                        })) {
            LoadWindow w = load(to(server), x -> x.errors() >= 1);

            FailureCount failure = w.failures().getFirst();
            assertThat(failure.reason()).isEqualTo(FailureReason.SERVER_GOES_AWAY);
            assertThat(failure.example().orElseThrow())
                    .startsWith("ENHANCE_YOUR_CALM, \\x1b[2J")
                    .hasSizeLessThanOrEqualTo(100)
                    .matches("[ -~]*");
        }
    }
}
