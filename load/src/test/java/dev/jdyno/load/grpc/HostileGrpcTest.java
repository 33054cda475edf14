package dev.jdyno.load.grpc;

import static dev.jdyno.load.http2.Http2Frames.CONTINUATION;
import static dev.jdyno.load.http2.Http2Frames.DATA;
import static dev.jdyno.load.http2.Http2Frames.END_HEADERS;
import static dev.jdyno.load.http2.Http2Frames.END_STREAM;
import static dev.jdyno.load.http2.Http2Frames.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.ListValue;
import com.google.protobuf.Value;
import dev.jdyno.load.LoadSession;
import dev.jdyno.load.ScriptedHttp2Server;
import dev.jdyno.load.ScriptedHttp2Server.Peer;
import dev.jdyno.load.Taken;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.GrpcCalls;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.text.UserError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Replies that violate gRPC, from a server that is scripted frame by frame.
class HostileGrpcTest {
    private static final byte[] HEAD = {(byte) 0x88};
    private static final byte[] EMPTY_MESSAGE = new byte[5];

    private interface Answer {
        void to(int stream, Peer peer) throws IOException;
    }

    private static LoadWindow load(Answer answer, Predicate<LoadWindow> enough) throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        new byte[0],
                        (_, number, peer) -> {
                            if (number > 0) {
                                answer.to(2 * number - 1, peer);
                            }
                        })) {
            var calls = new GrpcCalls(Shop.schema(), Optional.empty(), false, false);
            LoadSpec spec =
                    LoadSpec.to(server.url().resolve(Shop.PRICE)).loops(1).grpc(calls, 1).build();
            try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
                session.apply(new Level.Closed(1, Duration.ZERO));
                return Taken.until(session, enough);
            }
        }
    }

    private static FailureReason reason(Answer answer) throws IOException {
        LoadWindow w = load(answer, x -> x.requests() + x.errors() > 0);
        assertThat(w.requests()).isZero();
        return w.failures().getFirst().reason();
    }

    /// Literal fields without indexing (RFC 7541 §6.2.2).
    private static byte[] fields(String... namesAndValues) {
        var block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            block.write(0);
            for (String text : new String[] {namesAndValues[i], namesAndValues[i + 1]}) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                block.write(bytes.length);
                block.writeBytes(bytes);
            }
        }
        return block.toByteArray();
    }

    private static void reply(Peer peer, int stream, byte[] body, String status)
            throws IOException {
        peer.frame(HEADERS, END_HEADERS, stream, HEAD);
        peer.frame(DATA, 0, stream, body);
        peer.frame(HEADERS, END_HEADERS | END_STREAM, stream, fields("grpc-status", status));
    }

    @Test
    void anEmptyMessageAndStatusZeroAreAGoodReply() throws IOException {
        LoadWindow w =
                load(
                        (stream, peer) -> reply(peer, stream, EMPTY_MESSAGE, "0"),
                        x -> x.requests() >= 10);

        assertThat(w.errors()).isZero();
    }

    @Test
    void aMessageOfFourGibibytesIsRefusedByItsLength() throws IOException {
        byte[] prefix = {0, -1, -1, -1, -1};

        assertThat(reason((stream, peer) -> reply(peer, stream, prefix, "0")))
                .isEqualTo(FailureReason.REPLY_TOO_LARGE);
    }

    @Test
    void undefinedFlagsAreMalformed() throws IOException {
        byte[] body = {2, 0, 0, 0, 0};

        assertThat(reason((stream, peer) -> reply(peer, stream, body, "0")))
                .isEqualTo(FailureReason.GRPC_MESSAGE_INVALID);
    }

    @ParameterizedTest
    @CsvSource({
        "1, GRPC_MESSAGE_INVALID",
        "4, GRPC_MESSAGE_INVALID",
        "0, GRPC_MESSAGES_NOT_ONE",
        "10, GRPC_MESSAGES_NOT_ONE"
    })
    void aReplyWithoutExactlyOneMessageIsMalformed(int bytes, FailureReason why)
            throws IOException {
        assertThat(reason((stream, peer) -> reply(peer, stream, new byte[bytes], "0")))
                .isEqualTo(why);
    }

    @Test
    void aMessageThatIsCutOffByTheTrailersIsMalformed() throws IOException {
        byte[] body = {0, 0, 0, 0, 9, 1, 2, 3};

        assertThat(reason((stream, peer) -> reply(peer, stream, body, "0")))
                .isEqualTo(FailureReason.GRPC_MESSAGE_INVALID);
    }

    @Test
    void refusesGrpcReplyWithoutStatus() throws IOException {
        assertThat(reason((stream, peer) -> peer.ok(stream)))
                .isIn(FailureReason.GRPC_STATUS_MISSING, FailureReason.GRPC_MESSAGE_INVALID);
    }

    @ParameterizedTest
    @CsvSource({
        "14, grpc-unavailable",
        "16, grpc-unauthenticated",
        "17, grpc-unknown",
        "-1, grpc-unknown",
        "99999999999999999999, grpc-unknown",
        "x, grpc-unknown"
    })
    void aReplyOfTrailersOnlyEndsWithItsStatus(String status, String kind) throws IOException {
        LoadWindow w =
                load(
                        (stream, peer) -> {
                            var block = new ByteArrayOutputStream();
                            block.writeBytes(HEAD);
                            block.writeBytes(
                                    fields(
                                            "content-type",
                                            "application/grpc",
                                            "grpc-status",
                                            status,
                                            "grpc-message",
                                            "out%20of %zz\u001b[2J"));
                            peer.frame(
                                    HEADERS, END_HEADERS | END_STREAM, stream, block.toByteArray());
                        },
                        x -> x.errors() >= 3);

        assertThat(w.errorKinds()).containsOnlyKeys(kind);
        assertThat(w.failures().getFirst().example().orElseThrow())
                .startsWith("out of %zz")
                .matches("[ -~]*");
    }

    @Test
    void endlessTrailersEndTheConnection() throws IOException {
        byte[] field = fields("x", "y".repeat(100));

        FailureReason why =
                reason((stream, peer) -> {
                    peer.frame(HEADERS, END_HEADERS, stream, HEAD);
                    peer.frame(DATA, 0, stream, EMPTY_MESSAGE);
                    peer.frame(HEADERS, END_STREAM, stream, field);
                    for (int i = 0; i < 100; i++) {
                        peer.frame(CONTINUATION, 0, stream, field);
                    }
                });

        assertThat(why).isEqualTo(FailureReason.CONTINUATIONS_TOO_MANY);
    }

    private static void assertUnusable(byte[] answer) throws IOException {
        try (var server =
                new ScriptedHttp2Server(
                        new byte[0],
                        (_, number, peer) -> {
                            if (number > 0) {
                                reply(peer, 2 * number - 1, framed(answer), "0");
                            }
                        })) {
            LoadSpec spec = LoadSpec.to(server.url().resolve(Shop.PRICE)).build();

            assertThatThrownBy(
                            () -> Reflection.schema(spec, List.of("shop.Prices"), NanoClock.SYSTEM))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.kind()).isEqualTo(UserError.Kind.TARGET));
        }
    }

    private static byte[] framed(byte[] message) {
        byte[] all = new byte[5 + message.length];
        all[4] = (byte) message.length;
        System.arraycopy(message, 0, all, 5, message.length);
        return all;
    }

    /// Descriptors from reflection are checked by the same rules as a user's file.
    @Test
    void invalidReflectionIsTargetError() throws IOException {
        byte[] garbage = {(byte) 0xff, 1, 2, 3};
        byte[] noFile = {4 << 3 | 2, 4, 1 << 3 | 2, 2, (byte) 0xff, (byte) 0xff};
        byte[] nothing = {};

        assertUnusable(garbage);
        assertUnusable(noFile);
        assertUnusable(nothing);
    }

    /// A file imports `a`, which the server never delivers.
    @Test
    void wrongFileFromReflectionIsTargetError() throws IOException {
        byte[] file =
                FileDescriptorProto.newBuilder()
                        .setName("x")
                        .addDependency("a")
                        .build()
                        .toByteArray();
        var answer = new ByteArrayOutputStream();
        answer.writeBytes(new byte[] {4 << 3 | 2, (byte) (file.length + 2)});
        answer.writeBytes(new byte[] {1 << 3 | 2, (byte) file.length});
        answer.writeBytes(file);

        assertUnusable(answer.toByteArray());
    }

    /// The client skips the message while it arrives: 64 MiB pass through without staying in the
    /// heap.
    @Test
    void aLongMessageWithoutACheckIsCountedAndNotKept() throws IOException {
        int length = 64 << 20;
        byte[] prefix = {0, (byte) (length >> 24), (byte) (length >> 16), 0, 0};
        byte[] piece = new byte[16_384];

        LoadWindow w =
                load(
                        (stream, peer) -> {
                            peer.frame(HEADERS, END_HEADERS, stream, HEAD);
                            peer.frame(DATA, 0, stream, prefix);
                            for (int sent = 0; sent < length; sent += piece.length) {
                                peer.frame(DATA, 0, stream, piece);
                            }
                            peer.frame(
                                    HEADERS,
                                    END_HEADERS | END_STREAM,
                                    stream,
                                    fields("grpc-status", "0"));
                        },
                        x -> x.requests() >= 2);

        assertThat(w.errors()).isZero();
        assertThat(w.bytesRead()).isGreaterThan(2L * length);
    }

    /// Every call ends at its deadline, so no single old call shows that the connection is dead.
    @Test
    void leavesDeadConnectionDespiteShortDeadlines() throws IOException {
        try (var server = new ScriptedHttp2Server(new byte[0], (_, _, _) -> {})) {
            var calls =
                    new GrpcCalls(Shop.schema(), Optional.of(Duration.ofMillis(100)), false, false);
            LoadSpec spec =
                    LoadSpec.to(server.url().resolve(Shop.PRICE))
                            .requestTimeout(Duration.ofMillis(400))
                            .loops(1)
                            .grpc(calls, 4)
                            .build();
            try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
                session.apply(new Level.Closed(1, Duration.ZERO));
                Eventually.until("another connection", () -> server.connections.get() > 1);
            }
            assertThat(server.connections.get()).isGreaterThan(1);
        }
    }

    @Test
    void aMessageOfTooManyValuesIsRefused() {
        var list = ListValue.newBuilder();
        for (int i = 0; i <= JsonWriting.MAX_VALUES; i++) {
            list.addValues(Value.getDefaultInstance());
        }
        ListValue message = list.build();

        assertThatIllegalArgumentException().isThrownBy(() -> JsonWriting.of(message));
    }
}
