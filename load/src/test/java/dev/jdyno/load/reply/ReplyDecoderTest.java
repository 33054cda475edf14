package dev.jdyno.load.reply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.wire.Excerpt;
import dev.jdyno.load.wire.SocketFailure;
import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.load.ReplyRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyDecoderTest {
    private final ReplyDecoder decoder =
            new ReplyDecoder(new HeadMemory(), 1 << 20, ReplyRules.NONE);

    private int feed(String text) {
        byte[] bytes = bytes(text);
        return decoder.feed(bytes, 0, bytes.length);
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void bodyEndsAfterItsContentLength() {
        decoder.expect(false, null);
        String reply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

        assertThat(feed(reply + "HTTP")).isEqualTo(reply.length());

        assertThat(decoder.done()).isTrue();
        assertThat(decoder.status()).isEqualTo(200);
        assertThat(decoder.keepAlive()).isTrue();
    }

    @Test
    void aReplyWithoutLengthEndsWithTheConnection() {
        decoder.expect(false, null);
        feed("HTTP/1.1 200 OK\r\n\r\nsome bytes");
        assertThat(decoder.done()).isFalse();

        decoder.end();

        assertThat(decoder.done()).isTrue();
        assertThat(decoder.keepAlive()).isFalse();
    }

    @Test
    void aReplyCutShortIsClosedNotGood() {
        decoder.expect(false, null);
        feed("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello");

        decoder.end();

        assertThat(decoder.done()).isFalse();
        assertThat(failure().kind()).isEqualTo(ErrorKind.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusesWithoutBodyIgnoreItsLength(int status) {
        decoder.expect(false, null);

        feed("HTTP/1.1 " + status + " x\r\nContent-Length: 5\r\n\r\n");

        assertThat(decoder.done()).isTrue();
    }

    @Test
    void replyToHeadRequestHasNoBody() {
        decoder.expect(true, null);

        feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");

        assertThat(decoder.done()).isTrue();
    }

    @Test
    void interimRepliesAreSkipped() {
        decoder.expect(false, null);

        feed(
                lines(
                        "HTTP/1.1 100 Continue",
                        "",
                        "HTTP/1.1 103 Early Hints",
                        "Link: </a>",
                        "",
                        "HTTP/1.1 201 Created",
                        "Content-Length: 0",
                        "",
                        ""));

        assertThat(decoder.done()).isTrue();
        assertThat(decoder.status()).isEqualTo(201);
    }

    @Test
    void chunksMayHaveExtensionsAndTrailers() {
        decoder.expect(false, null);
        String reply =
                lines(
                        "HTTP/1.1 200 OK",
                        "transfer-encoding: gzip, Chunked",
                        "",
                        "5;a=b",
                        "hello",
                        "A ",
                        "0123456789",
                        "000",
                        "X-Sum: 1",
                        "",
                        "");

        assertThat(feed(reply)).isEqualTo(reply.length());
        assertThat(decoder.done()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, '', true",
        "HTTP/1.0, '', false",
        "HTTP/1.1, close, false",
        "HTTP/1.1, 'Keep-Alive, Close', false",
        "HTTP/1.0, keep-alive, true",
        "HTTP/1.0, Keep-Alive, true",
    })
    void versionAndConnectionHeaderDecideKeepAlive(
            String version, String connection, boolean kept) {
        decoder.expect(false, null);
        String header = connection.isEmpty() ? "" : "Connection: " + connection + "\r\n";

        feed(version + " 200 OK\r\n" + header + "Content-Length: 0\r\n\r\n");

        assertThat(decoder.done()).isTrue();
        assertThat(decoder.keepAlive()).isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({
        "'garbage that is not HTTP||', NOT_HTTP, 'garbage that is not HTTP\\r\\n\\r\\n'",
        "'HTTP/2 200||', NOT_HTTP, 'HTTP/2 200\\r\\n\\r\\n'",
        "'HTTP/1.1 20 OK||', STATUS_LINE_INVALID, 'HTTP/1.1 20 OK'",
        "'HTTP/1.1 2000 OK||', STATUS_LINE_INVALID, 'HTTP/1.1 2000 OK'",
        "'HTTP/1.1 abc OK||', STATUS_LINE_INVALID, 'HTTP/1.1 abc OK'",
        "'HTTP/1.1 099 OK||', STATUS_LINE_INVALID, 'HTTP/1.1 099 OK'",
        "'HTTP/1.1  200 OK||', STATUS_LINE_INVALID, 'HTTP/1.1  200 OK'",
        "'HTTP/1.x 200 OK||', STATUS_LINE_INVALID, 'HTTP/1.x 200 OK'",
        "'HTTP/1.1 200 OK|Content-Length: five||', CONTENT_LENGTH_INVALID, 'Content-Length: five'",
        "'HTTP/1.1 200 OK|Content-Length: -5||', CONTENT_LENGTH_INVALID, 'Content-Length: -5'",
        "'HTTP/1.1 200 OK|Content-Length:||', CONTENT_LENGTH_INVALID, 'Content-Length:'",
        "'HTTP/1.1 200 OK|Content-Length: 99999999999999999999||', CONTENT_LENGTH_INVALID,"
                + " 'Content-Length: 99999999999999999999'",
        "'HTTP/1.1 200 OK|Content-Length: 5|Content-Length: 6||', CONTENT_LENGTH_TWICE,"
                + " 'Content-Length: 5 and 6'",
        "'HTTP/1.1 200 OK|no colon here||', HEADER_LINE_INVALID, 'no colon here'",
        "'HTTP/1.1 200 OK|Name : x||', HEADER_LINE_INVALID, 'Name : x'",
        "'HTTP/1.1 200 OK|: x||', HEADER_LINE_INVALID, ': x'",
        "'HTTP/1.1 101 Switching Protocols||', UPGRADE_UNASKED, ''",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||xyz|', CHUNK_SIZE_INVALID, x",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||-5|', CHUNK_SIZE_INVALID, -",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked|||', CHUNK_SIZE_INVALID, '\\r'",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|\rx', TRAILER_INVALID, x",
        "'HTTP/1.1 200 OK|Content-Length: 1048577||', REPLY_TOO_LARGE,"
                + " 'the limit is 1048576 bytes'",
    })
    void invalidReplyHasSameReasonForAnySplit(String lines, FailureReason reason, String example) {
        byte[] all = bytes(lines.replace("|", "\r\n"));
        for (int cut = 0; cut <= all.length; cut++) {
            decoder.expect(false, null);

            decoder.feed(all, 0, cut);
            if (!decoder.isBroken()) {
                decoder.feed(all, cut, all.length);
            }

            assertThat(decoder.isBroken()).as("%s, cut at %d", lines, cut).isTrue();
            assertThat(failure().reason()).as("cut at %d", cut).isEqualTo(reason);
            if (reason != FailureReason.NOT_HTTP) { // its text shows the bytes received so far
                assertThat(failure().example()).as("cut at %d", cut).isEqualTo(example);
            }
        }
    }

    private SocketFailure failure() {
        return decoder.failure().orElseThrow();
    }

    /// The text about a wrong chunk depends on the bytes received so far.
    @ParameterizedTest
    @CsvSource({
        "'2|abc|', CHUNK_END_MISSING",
        "'2|ab\r\r|', CHUNK_END_MISSING",
        "'1234567890123456|', CHUNK_SIZE_INVALID",
        "'ffffffffffffffff|', CHUNK_SIZE_INVALID",
    })
    void brokenChunkHasSameReasonForAnySplit(String chunk, FailureReason reason) {
        byte[] all =
                bytes(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + chunk.replace("|", "\r\n"));
        for (int cut = 0; cut <= all.length; cut++) {
            decoder.expect(false, null);

            decoder.feed(all, 0, cut);
            decoder.feed(all, cut, all.length);

            assertThat(decoder.isBroken()).as("cut at %d", cut).isTrue();
            assertThat(failure().reason()).isEqualTo(reason);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0015\u0003\u0003", "\u0016\u0003\u0001"})
    void recognisesTlsServerByFirstBytes(String record) {
        decoder.expect(false, null);

        feed(record + "\u0000\u0002\u0002(");

        assertThat(failure().reason()).isEqualTo(FailureReason.PLAIN_PORT_SPEAKS_TLS);
    }

    @ParameterizedTest
    @CsvSource({
        "'', CLOSED_BEFORE_REPLY, ''",
        "'HTTP/1.1 200 O', CLOSED_IN_HEAD, ''",
        "'HTTP/1.1 200 OK|', CLOSED_IN_HEAD, ''",
        "'HTTP/1.1 200 OK|Content-Length: 9||hello', CLOSED_IN_BODY, '4 of 9 bytes are missing'",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|', CLOSED_IN_BODY,"
                + " 'the last chunk is missing'",
    })
    void reasonNamesWhereReplyWasCut(String lines, FailureReason reason, String example) {
        decoder.expect(false, null);
        feed(lines.replace("|", "\r\n"));

        decoder.end();

        assertThat(failure().kind()).isEqualTo(ErrorKind.CLOSED);
        assertThat(failure().reason()).isEqualTo(reason);
        assertThat(failure().example()).isEqualTo(example);
    }

    /// Endless repetitions are refused well before the limit of a whole reply.
    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 ', xxxxxxxxxx, HEAD_TOO_LONG",
        "'HTTP/1.1 200 OK|', 'A: bbbbbb|', HEAD_TOO_LONG",
        "'', 'HTTP/1.1 100 Continue||', INTERIM_REPLIES_TOO_MANY",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||5;', xxxxxxxxxx, CHUNK_EXTENSION_TOO_LONG",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|', 'A: bbbbbb|', TRAILERS_TOO_LONG",
        "'HTTP/1.1 200 OK|Transfer-Encoding: chunked||0|A: ', xxxxxxxxxx, TRAILERS_TOO_LONG",
    })
    void refusesEndlessReplyEarly(String start, String again, FailureReason reason) {
        for (int piece : new int[] {1, 7, 64 * 1024}) {
            decoder.expect(false, null);
            feed(start.replace("|", "\r\n"));
            byte[] endless = bytes(again.replace("|", "\r\n").repeat(40_000));

            for (int at = 0; at < endless.length && !decoder.isBroken(); at += piece) {
                decoder.feed(endless, at, Math.min(endless.length, at + piece));
            }

            assertThat(failure().reason()).as("pieces of %d", piece).isEqualTo(reason);
            assertThat(failure().example().length()).isLessThanOrEqualTo(Excerpt.LONGEST);
        }
    }

    @Test
    void escapesControlCharactersOfReply() {
        decoder.expect(false, null);

        feed("HTTP/1.1 200 OK\r\n\u001b]0;owned\u0007\u009b31m no name\r\n\r\n");

        assertThat(failure().example()).isEqualTo("\\x1b]0;owned\\x07\\x9b31m no name");
    }

    @Test
    void limitsMemoryOfAllUnfinishedHeads() {
        var shared = new HeadMemory();
        byte[] max = bytes("HTTP/1.1 200 OK\r\nX: " + "y".repeat(200_000));
        List<ReplyDecoder> all = new ArrayList<>();
        boolean refused = false;
        while (!refused) {
            assertThat(all.size()).isLessThan(1000);
            var next = new ReplyDecoder(shared, 1 << 20, ReplyRules.NONE);
            next.expect(false, null);
            next.feed(max, 0, max.length);
            all.add(next);
            refused = next.isBroken();
        }

        assertThat(all.getLast().failure().orElseThrow().reason())
                .isEqualTo(FailureReason.HEADS_TOO_LARGE_TOGETHER);
        assertThat((long) (all.size() - 1) * max.length)
                .isLessThanOrEqualTo(HeadMemory.MAX_UNFINISHED);

        all.forEach(ReplyDecoder::forget);
        all.getFirst().expect(false, null);
        all.getFirst().feed(max, 0, max.length);
        assertThat(all.getFirst().isBroken()).as("what is given back can be had again").isFalse();
    }

    private static final String[] WHOLE = {
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\nContent-Length: 0\n\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab",
    };

    @Test
    void aReplySplitAtAnyByteReadsAsWhenWhole() {
        for (String reply : WHOLE) {
            byte[] all = bytes(reply);
            for (int cut = 1; cut < all.length; cut++) {
                decoder.expect(false, null);

                decoder.feed(all, 0, cut);
                boolean early = decoder.done();
                decoder.feed(all, cut, all.length);

                assertThat(early).as("%s, cut at %d", reply, cut).isFalse();
                assertThat(decoder.done()).as("%s, cut at %d", reply, cut).isTrue();
            }
        }
    }

    @Test
    void aReplyThatEndsAtAnyByteIsClosedNotGood() {
        for (String reply : WHOLE) {
            byte[] all = bytes(reply);
            for (int cut = 0; cut < all.length; cut++) {
                decoder.expect(false, null);
                decoder.feed(all, 0, cut);

                decoder.end();

                assertThat(decoder.done()).as("%s, ended at %d", reply, cut).isFalse();
                assertThat(failure().kind()).isEqualTo(ErrorKind.CLOSED);
            }
        }
    }

    @Test
    void garbageIsRefusedBeforeTheTimeout() {
        decoder.expect(false, null);

        feed("SSH-2.0-OpenSSH");

        assertThat(decoder.isBroken()).isTrue();
    }

    @Test
    void aHeadWithoutEndIsRefusedAtItsLimit() {
        decoder.expect(false, null);
        byte[] filler = bytes("X-Filler: " + "y".repeat(8000) + "\r\n");
        feed("HTTP/1.1 200 OK\r\n");

        for (int i = 0; i < ReplyDecoder.LONGEST_HEAD / 8000 + 1 && !decoder.isBroken(); i++) {
            decoder.feed(filler, 0, filler.length);
        }

        assertThat(decoder.isBroken()).isTrue();
    }

    @Test
    void refusesTooLongCompleteHead() {
        decoder.expect(false, null);
        feed("HTTP/1.1 200 OK\r\nX-Filler: " + "y".repeat(ReplyDecoder.LONGEST_HEAD - 10));

        feed("yyyyyyyyyyyyyyy\r\nContent-Length: 0\r\n\r\n");

        assertThat(decoder.isBroken()).isTrue();
    }

    @Test
    void aReplyBeyondTheLimitIsTooLarge() {
        decoder.expect(false, null);
        feed("HTTP/1.1 200 OK\r\n\r\n");

        feed("z".repeat(1 << 20));

        assertThat(failure().kind()).isEqualTo(ErrorKind.TOO_LARGE);
    }

    @Test
    void readsHeadThatDiffersInOneByte() {
        for (String length : new String[] {"10", "11", "10", "12"}) {
            decoder.expect(false, null);
            int n = Integer.parseInt(length);

            feed("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(n));

            assertThat(decoder.done()).as("length %s", length).isTrue();
        }
    }

    /// Replies that are split at random places must give the same result as whole ones. With this
    /// number of seeds, a part ends in every state of the decoder.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void randomSplitOfReadsGivesTheSameReply(long seed) {
        var random = new SplittableRandom(seed);
        String[] replies = {
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\nContent-Length: 0\n\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1f;x=y\r\n"
                    + "e".repeat(31)
                    + "\r\n0\r\nA: b\r\nC: d\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n",
        };
        for (int round = 0; round < 200; round++) {
            byte[] reply = bytes(replies[random.nextInt(replies.length)]);
            decoder.expect(false, null);
            int at = 0;
            while (at < reply.length) {
                assertThat(decoder.done()).as("done before the last byte").isFalse();
                int to = at + 1 + random.nextInt(Math.min(20, reply.length - at));
                assertThat(decoder.feed(reply, at, to)).isEqualTo(to);
                at = to;
            }
            assertThat(decoder.done()).as("seed %d round %d", seed, round).isTrue();
        }
    }
}
