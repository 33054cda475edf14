package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.EventTimes;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.ReplyRules;
import dev.jdyno.measure.load.ReplyTimes;
import dev.jdyno.measure.load.Until;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Event streams over both protocols: their times, and the rules that end them.
class EventStreamTest {
    private static final double APART_MS = Staged.APART.toMillis();
    private static final double EXACT = 0.998;
    private static final String HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream;charset=utf-8\r\n\r\n";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static ReplyRules until(Until rule) {
        return new ReplyRules(false, Optional.of(rule), false, Optional.empty());
    }

    private static final Until DONE = new Until.Text("[DONE]");

    private static LoadWindow http1(ReplyRules rules, String... parts) throws IOException {
        return Staged.http1(
                List.of(parts).stream().map(Staged::text).toList(), s -> s.replies(rules));
    }

    /// Reply with `content-type: text/event-stream` and one DATA frame for each text.
    private static LoadWindow http2(ReplyRules rules, String... parts) throws IOException {
        var block = new ByteArrayOutputStream();
        block.writeBytes(ScriptedHttp2Server.STATUS_200);
        String type = "text/event-stream";
        block.writeBytes(new byte[] {0x0f, 31 - 15, (byte) type.length()});
        block.writeBytes(Staged.text(type));
        List<byte[]> frames = new ArrayList<>();
        frames.add(
                ScriptedHttp2Server.bytes(
                        Http2Frames.HEADERS, Http2Frames.END_HEADERS, 1, block.toByteArray()));
        for (String part : parts) {
            frames.add(ScriptedHttp2Server.bytes(Http2Frames.DATA, 0, 1, Staged.text(part)));
        }
        return Staged.http2(frames, s -> s.replies(rules));
    }

    private static EventTimes events(LoadWindow w) {
        assertThat(w.errorKinds()).isEmpty();
        assertThat(w.requests()).isEqualTo(1);
        return w.replies().times(w.seconds()).flatMap(ReplyTimes::events).orElseThrow();
    }

    /// A head, then two events in one read, then one event, then the end.
    private static void hasTheTimes(LoadWindow w) {
        EventTimes e = events(w);
        assertThat(e.events()).isEqualTo(3);
        assertThat(e.firstMs().max()).isGreaterThanOrEqualTo(APART_MS * EXACT);
        assertThat(e.betweenMs().p50()).isZero();
        assertThat(e.betweenMs().max()).isGreaterThanOrEqualTo(APART_MS * EXACT);
        assertThat(e.perS()).isPositive();
        assertThat(w.latency().max())
                .isGreaterThanOrEqualTo(e.firstMs().max() + 2 * APART_MS * EXACT);
    }

    @Test
    void eventsOverHttp1HaveTheirOwnTimes() throws IOException {
        hasTheTimes(
                http1(
                        until(DONE),
                        HEAD,
                        "data: a\n\ndata: b\n\nda",
                        "ta: c\n\n",
                        "data: [DONE]\n\n"));
    }

    @Test
    void eventsOverHttp2HaveTheSameTimes() throws IOException {
        hasTheTimes(
                http2(until(DONE), "data: a\n\ndata: b\n\nda", "ta: c\n\n", "data: [DONE]\n\n"));
    }

    @Test
    void anEventStreamIsKnownByItsTypeWithoutAnyOption() throws IOException {
        String events = "data: a\n\ndata: b\n\n";
        LoadWindow w =
                http1(
                        ReplyRules.NONE,
                        "HTTP/1.1 200 OK\r\nContent-Type:text/event-stream\r\nContent-Length: "
                                + events.length()
                                + "\r\n\r\n"
                                + events);

        assertThat(events(w).events()).isEqualTo(2);
    }

    @Test
    void countsChunksOfOtherRepliesIfRequested() throws IOException {
        String[] parts = {CHUNKED, "1\r\na\r\n1\r\nb\r\n", "2\r\ncc\r\n0\r\n\r\n"};
        var chunks = new ReplyRules(true, Optional.empty(), false, Optional.empty());

        assertThat(events(http1(chunks, parts)).events()).isEqualTo(3);
        LoadWindow unasked = http1(ReplyRules.NONE, parts);
        assertThat(unasked.replies().times(1).flatMap(ReplyTimes::events)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 event", "2 events"})
    void eventLimitEndsStream(String rule) throws IOException {
        int number = rule.charAt(0) - '0';
        String events = "data: x\n\n".repeat(number);

        assertThat(events(http1(until(Until.parse(rule)), HEAD + events)).events())
                .isEqualTo(number);
        assertThat(events(http2(until(Until.parse(rule)), events)).events()).isEqualTo(number);
    }

    @Test
    void timeLimitEndsStream() throws IOException {
        ReplyRules rules = until(new Until.Time(Staged.APART));
        // the last part makes the server wait while the client has already closed
        LoadWindow w = http1(rules, HEAD + "data: a\n\n", "data: b\n\n");

        assertThat(events(w).events()).isBetween(1L, 2L);
        assertThat(w.latency().max()).isGreaterThanOrEqualTo(APART_MS * EXACT);
    }

    @Test
    void timeLimitEndsHttp2Stream() throws IOException {
        ReplyRules rules = until(new Until.Time(Staged.APART));
        LoadWindow w = http2(rules, "data: a\n\n", "data: b\n\n");

        assertThat(w.errorKinds()).isEmpty();
        assertThat(w.requests()).isEqualTo(1);
        assertThat(w.latency().max()).isGreaterThanOrEqualTo(APART_MS * EXACT);
    }

    @Test
    void replyThatEndsWithoutItsEndTextHasFailed() throws IOException {
        String events = "data: a\n\n";
        LoadWindow w =
                http1(
                        until(DONE),
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: "
                                + events.length()
                                + "\r\n\r\n"
                                + events);

        assertThat(w.errorKinds()).containsOnlyKeys("check");
        assertThat(w.failures().stream().map(FailureCount::reason))
                .containsExactly(FailureReason.ENDED_WITHOUT_TEXT);
    }

    @Test
    void completeStreamKeepsConnection() throws IOException {
        String body = "data: a\n\ndata: [DONE]\n\n";
        String reply =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
                        + "\r\n\r\n"
                        + Integer.toHexString(body.length())
                        + "\r\n"
                        + body
                        + "\r\n0\r\n\r\n";
        try (var server = ScriptedServer.saying(reply)) {
            LoadWindow w = load(server, until(DONE));

            assertThat(w.requests()).isEqualTo(20);
            assertThat(server.connections).hasValue(1);
        }
    }

    private static LoadWindow load(ScriptedServer server, ReplyRules rules) {
        LoadSpec spec = LoadSpec.to(server.url()).loops(1).mostRequests(20).replies(rules).build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(1, Duration.ZERO));
            return Taken.all(session);
        }
    }

    @Test
    void endlessLineIsAFailureWithAReason() throws IOException {
        byte[] much = "x".repeat(1 << 16).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        try (var server =
                new ScriptedServer((_, out) -> {
                    out.write(Staged.text(HEAD));
                    for (int i = 0; i < 64; i++) {
                        out.write(much);
                    }
                    return false;
                })) {
            LoadWindow w = load(server, ReplyRules.NONE);

            assertThat(w.errors()).isEqualTo(20);
            assertThat(w.failures().stream().map(FailureCount::reason))
                    .containsExactly(FailureReason.EVENT_LINE_TOO_LONG);
        }
    }

    /// A reply without a body cannot contain the end text.
    @Test
    void replyWithoutABodyNeedsNoEndText() throws IOException {
        var rules =
                new ReplyRules(
                        false, Optional.of(new Until.Text("[DONE]")), false, Optional.empty());

        LoadWindow w = http1(rules, "HTTP/1.1 204 No Content\r\n\r\n");

        assertThat(w.errorKinds()).isEmpty();
        assertThat(w.requests()).isEqualTo(1);
    }
}
