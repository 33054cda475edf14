package dev.jdyno.load.reply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.wire.ErrorKind;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyDecoderTest {
    private final ReplyDecoder decoder = new ReplyDecoder(new HeadMemory(), 1 << 20);

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
    void aBodyEndsWhereItsContentLengthSays() {
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
        assertThat(decoder.brokenKind()).isEqualTo(ErrorKind.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void someStatusesHaveNoBodyWhateverTheHeadSays(int status) {
        decoder.expect(false, null);

        feed("HTTP/1.1 " + status + " x\r\nContent-Length: 5\r\n\r\n");

        assertThat(decoder.done()).isTrue();
    }

    @Test
    void theReplyToHeadHasNoBody() {
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
    void versionAndConnectionHeaderSayWhetherTheConnectionIsKept(
            String version, String connection, boolean kept) {
        decoder.expect(false, null);
        String header = connection.isEmpty() ? "" : "Connection: " + connection + "\r\n";

        feed(version + " 200 OK\r\n" + header + "Content-Length: 0\r\n\r\n");

        assertThat(decoder.done()).isTrue();
        assertThat(decoder.keepAlive()).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage that is not HTTP\r\n\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/1.1 099 OK\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
                "HTTP/1.1 200 OK\r\nName : x\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1234567890123456\r\n",
            })
    void whatBreaksTheRulesIsMalformedHoweverItIsSplit(String reply) {
        byte[] all = bytes(reply);
        for (int cut = 0; cut <= all.length; cut++) {
            decoder.expect(false, null);

            decoder.feed(all, 0, cut);
            if (!decoder.isBroken()) {
                decoder.feed(all, cut, all.length);
            }

            assertThat(decoder.isBroken()).as("%s, cut at %d", reply, cut).isTrue();
            assertThat(decoder.brokenKind()).isEqualTo(ErrorKind.MALFORMED);
            assertThat(decoder.brokenWhy()).isNotBlank();
        }
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
                assertThat(decoder.brokenKind()).isEqualTo(ErrorKind.CLOSED);
            }
        }
    }

    @Test
    void garbageIsNotWaitedForUntilTheTimeout() {
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
    void aHeadBeyondTheLimitIsRefusedAlsoWhenItsEndIsThere() {
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

        assertThat(decoder.brokenKind()).isEqualTo(ErrorKind.TOO_LARGE);
    }

    @Test
    void aHeadThatDiffersInOneByteIsReadAnew() {
        for (String length : new String[] {"10", "11", "10", "12"}) {
            decoder.expect(false, null);
            int n = Integer.parseInt(length);

            feed("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(n));

            assertThat(decoder.done()).as("length %s", length).isTrue();
        }
    }

    /// The same replies cut at random places must read as when whole: the cases above leave no
    /// state of the decoder uncut over this many seeds.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void howReadsSplitAReplyDoesNotMatter(long seed) {
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
