package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.cluster.packet.Origins;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerTest {
    private static final int READ_LIMIT_MS = 10_000;

    private final AtomicInteger visits = new AtomicInteger();

    private Listener counting() {
        Listener listener = Cluster.listener(Duration.ofSeconds(1));
        listener.door(s -> {
            visits.incrementAndGet();
            Listener.close(s);
        });
        return listener;
    }

    private static Socket connect(Listener listener) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(READ_LIMIT_MS);
        return socket;
    }

    /// Reads until the other side closes the connection, which must happen within the limit.
    private static void awaitClosed(Socket socket) throws IOException {
        byte[] some = new byte[1024];
        try {
            while (socket.getInputStream().read(some) >= 0) {
                // an alert of TLS
            }
        } catch (java.net.SocketTimeoutException stillOpen) {
            throw new AssertionError("the connection was not closed", stillOpen);
        } catch (java.net.SocketException reset) {
            // the other side has closed the connection
        }
    }

    /// All connections begin at once, because the listener waits for a silent one.
    @Test
    void closesConnectionsThatSendInvalidData() throws Exception {
        byte[] random = new byte[100_000];
        new Random(1).nextBytes(random);
        List<byte[]> sent =
                List.of(
                        new byte[0],
                        random,
                        bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
                        // the head of a TLS record with a client hello that never comes
                        new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3},
                        // the first bytes of a serialised Java object
                        new byte[] {(byte) 0xac, (byte) 0xed, 0, 5, 's', 'r', 0, 9});
        List<Socket> strangers = new ArrayList<>();
        try (Listener listener = counting()) {
            for (byte[] bytes : sent) {
                Socket stranger = connect(listener);
                strangers.add(stranger);
                send(stranger, bytes);
            }

            for (Socket stranger : strangers) {
                awaitClosed(stranger);
            }

            Eventually.until("refusals", () -> listener.refused() >= sent.size());
            assertThat(listener.refused()).isEqualTo(sent.size());
            assertThat(visits).hasValue(0);
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void send(Socket to, byte[] bytes) {
        try {
            to.getOutputStream().write(bytes);
            to.getOutputStream().flush();
        } catch (IOException closedMeanwhile) {
            // expected: the connection is closed
        }
    }

    @Test
    void strangersBlockNoTokenHolder() throws IOException {
        List<Socket> strangers = new ArrayList<>();
        try (Listener listener = Cluster.listener();
                Agent agent = Cluster.agent(listener, List::of)) {
            for (int i = 0; i < 100; i++) {
                strangers.add(connect(listener));
            }

            Door.Visit visit =
                    Door.ask(
                            "a",
                            Cluster.at(agent),
                            listener.identity(),
                            new Door.Question(Optional.empty()),
                            NanoClock.SYSTEM);

            assertThat(visit.facts()).isEqualTo(Cluster.facts(""));
        } finally {
            for (Socket s : strangers) {
                s.close();
            }
        }
    }

    @Test
    void closesGroupConnectionWithoutGroup() throws IOException {
        try (Listener listener = counting();
                SSLSocket socket = knowing(listener, Identity.GROUP)) {
            awaitClosed(socket);

            assertThat(visits).hasValue(0);
        }
    }

    @Test
    void aConnectionWithoutAPurposeIsClosed() {
        try (Listener listener = counting()) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> knowing(listener, "h2"));
            assertThat(visits).hasValue(0);
        }
    }

    @Test
    void aQuestionOfAnotherVersionIsAnsweredWithOurs() throws IOException {
        try (Listener listener = Cluster.listener();
                Agent _ = Cluster.agent(listener, List::of);
                SSLSocket socket = knowing(listener, Identity.DOOR)) {
            socket.getOutputStream().write(frame(Frame.VERSION + 1, "{}"));

            var in = new DataInputStream(socket.getInputStream());

            assertThat(in.readInt()).isEqualTo(0x4a44594e);
            assertThat(in.readByte()).isEqualTo((byte) Frame.VERSION);
            assertThat(in.readInt()).isZero();
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void anAgentOfAnotherVersionIsNamed() {
        try (Listener listener = Cluster.listener()) {
            listener.door(s -> {
                try (s) {
                    s.getOutputStream().write(frame(Frame.VERSION + 1, ""));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });

            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() ->
                            Door.ask(
                                    "lg1",
                                    at(listener),
                                    listener.identity(),
                                    new Door.Question(Optional.empty()),
                                    NanoClock.SYSTEM))
                    .satisfies(e -> assertThat(e.what()).contains("lg1", "version"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"invitation\":{}}", "{\"invitation\":null,\"x\":1}"})
    void invalidQuestionEndsConnection(String json) throws IOException {
        try (Listener listener = Cluster.listener();
                Agent _ = Cluster.agent(listener, List::of);
                SSLSocket socket = knowing(listener, Identity.DOOR)) {
            socket.getOutputStream().write(frame(Frame.VERSION, json));

            byte[] answer = socket.getInputStream().readAllBytes();

            assertThat(answer).hasSizeLessThanOrEqualTo(9);
        }
    }

    private static InetSocketAddress at(Listener listener) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port());
    }

    private static SSLSocket knowing(Listener listener, String protocol) throws IOException {
        var socket = (SSLSocket) listener.identity().context().getSocketFactory().createSocket();
        socket.setUseClientMode(true);
        Identity.demand(socket, protocol);
        socket.setSoTimeout(READ_LIMIT_MS);
        socket.connect(at(listener));
        socket.startHandshake();
        return socket;
    }

    /// A group connects to an address that belongs to one of the keys that it accepts.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aKeyIsAcceptedOnlyAtItsOwnAddress(boolean isItsOwn) throws IOException {
        OwnKey here = OwnKey.generate();
        PeerKey another = OwnKey.generate().open();
        OwnKey run = OwnKey.generate();
        var origins = new Origins(false);
        try (Listener listener =
                Listener.open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        here,
                        Set.of(run.open()))) {
            listener.group(Optional.of(_ -> () -> {}));
            origins.introduce(new IpAddress(at(listener)), isItsOwn ? here.open() : another);
            Identity outward = Identity.of(run, Set.of(here.open(), another)).at(origins::isOf);
            try (var socket = (SSLSocket) new GroupSockets(1, outward).createSocket("a test")) {
                socket.connect(at(listener));
                if (isItsOwn) {
                    socket.startHandshake();
                    assertThat(Identity.peer(socket)).isEqualTo(here.open());
                } else {
                    assertThatExceptionOfType(SSLHandshakeException.class)
                            .isThrownBy(socket::startHandshake)
                            .withRootCauseInstanceOf(OnlyKeys.Another.class);
                }
            }
        }
    }

    private static byte[] frame(int version, String json) {
        return ByteBuffer.allocate(9 + json.length())
                .putInt(0x4a44594e)
                .put((byte) version)
                .putInt(json.length())
                .put(bytes(json))
                .array();
    }
}
