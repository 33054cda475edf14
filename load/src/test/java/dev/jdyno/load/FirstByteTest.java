package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.http2.Http2Frames;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.ReplyTimes;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Times of the first and of the last byte of a reply.
class FirstByteTest {
    private static final double APART_MS = Staged.APART.toMillis();

    /// Factor by which a time in a histogram of three significant digits may be too low.
    private static final double EXACT = 0.998;

    private static LoadWindow http1(String... parts) throws IOException {
        return Staged.http1(List.of(parts).stream().map(Staged::text).toList(), s -> s);
    }

    private static ReplyTimes times(LoadWindow w) {
        assertThat(w.errorKinds()).isEmpty();
        assertThat(w.requests()).isEqualTo(1);
        return w.replies().times(w.seconds()).orElseThrow();
    }

    private static void apart(double earlier, double later) {
        assertThat(later - earlier).isGreaterThanOrEqualTo(APART_MS * EXACT);
    }

    private static void together(double earlier, double later) {
        assertThat(later - earlier).isLessThan(APART_MS / 2);
    }

    @Test
    void lateBodyDelaysOnlyLastByte() throws IOException {
        LoadWindow w = http1("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ok");

        ReplyTimes t = times(w);
        together(0, t.ttfbMs().max());
        apart(t.ttfbMs().max(), t.firstBodyMs().max());
        together(t.firstBodyMs().max(), w.latency().max());
    }

    @Test
    void headFirstBodyByteAndLastByteAreTimedSeparately() throws IOException {
        LoadWindow w = http1("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "o", "k");

        ReplyTimes t = times(w);
        together(0, t.ttfbMs().max());
        apart(t.ttfbMs().max(), t.firstBodyMs().max());
        apart(t.firstBodyMs().max(), w.latency().max());
    }

    @Test
    void theFirstByteOfAHeadThatComesInPartsCounts() throws IOException {
        LoadWindow w = http1("HTTP/1.1 2", "00 OK\r\nContent-Length: 2\r\n\r\nok");

        ReplyTimes t = times(w);
        together(0, t.ttfbMs().max());
        apart(t.ttfbMs().max(), w.latency().max());
        together(t.firstBodyMs().max(), w.latency().max());
    }

    @Test
    void chunkSizeIsNotTheFirstByteOfBody() throws IOException {
        LoadWindow w =
                http1(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n",
                        "ok\r\n",
                        "0\r\n\r\n");

        ReplyTimes t = times(w);
        apart(t.ttfbMs().max(), t.firstBodyMs().max());
        apart(t.firstBodyMs().max(), w.latency().max());
    }

    @Test
    void anInterimReplyIsNoFirstByte() throws IOException {
        LoadWindow w =
                http1(
                        "HTTP/1.1 103 Early Hints\r\n\r\n",
                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n",
                        "ok");

        ReplyTimes t = times(w);
        apart(0, t.ttfbMs().max());
        apart(t.ttfbMs().max(), w.latency().max());
    }

    @Test
    void replyAfterInterimReplyHasEqualFirstAndLastByteTimes() throws IOException {
        LoadWindow w = http1("HTTP/1.1 103 Early Hints\r\n\r\n", ScriptedServer.OK);

        ReplyTimes t = times(w);
        apart(0, t.ttfbMs().max());
        assertThat(t.ttfbMs()).isEqualTo(w.latency());
    }

    @Test
    void replyInOneReadHasEqualFirstAndLastByteTimes() throws IOException {
        LoadWindow w = http1(ScriptedServer.OK);

        assertThat(times(w).ttfbMs()).isEqualTo(w.latency());
        assertThat(times(w).firstBodyMs()).isEqualTo(w.latency());
        assertThat(times(w).isEarly(w.latency())).isFalse();
    }

    private static byte[] frame(int type, int flags, String payload) {
        return ScriptedHttp2Server.bytes(type, flags, 1, Staged.text(payload));
    }

    private static byte[] head(int flags) {
        return ScriptedHttp2Server.bytes(
                Http2Frames.HEADERS,
                Http2Frames.END_HEADERS | flags,
                1,
                ScriptedHttp2Server.STATUS_200);
    }

    @Test
    void http2HasTheSameThreeTimes() throws IOException {
        LoadWindow w =
                Staged.http2(
                        List.of(
                                head(0),
                                frame(Http2Frames.DATA, 0, "o"),
                                frame(Http2Frames.DATA, Http2Frames.END_STREAM, "k")),
                        s -> s);

        ReplyTimes t = times(w);
        together(0, t.ttfbMs().max());
        apart(t.ttfbMs().max(), t.firstBodyMs().max());
        apart(t.firstBodyMs().max(), w.latency().max());
    }

    @Test
    void http2ReplyInOneReadHasEqualFirstAndLastByteTimes() throws IOException {
        LoadWindow w = Staged.http2(List.of(ScriptedHttp2Server.okBytes(1)), s -> s);

        assertThat(times(w).ttfbMs()).isEqualTo(w.latency());
        assertThat(times(w).firstBodyMs()).isEqualTo(w.latency());
    }

    @Test
    void http2ReplyWithoutBodyHasEqualFirstAndLastByteTimes() throws IOException {
        LoadWindow w = Staged.http2(List.of(head(Http2Frames.END_STREAM)), s -> s);

        assertThat(times(w).ttfbMs()).isEqualTo(w.latency());
    }
}
