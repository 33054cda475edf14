package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakesTest {
    private static final int MANY = 400;

    private final Handshakes handshakes = new Handshakes();

    /// A socket that is not connected, but has a remote address.
    private static Socket from(int number) {
        return new Socket() {
            @Override
            public InetAddress getInetAddress() {
                try {
                    return InetAddress.getByAddress(
                            new byte[] {10, 0, (byte) (number >> 8), (byte) number});
                } catch (UnknownHostException never) {
                    throw new AssertionError(never);
                }
            }
        };
    }

    private List<Handshakes.Pending> begin(int address, int count) {
        List<Handshakes.Pending> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            begun.add(handshakes.begin(from(address)));
        }
        return begun;
    }

    @Test
    void dropsOldestHandshakeOfAddress() {
        List<Handshakes.Pending> all = begin(1, Handshakes.MAX_PER_ADDRESS + 2);

        assertThat(all.get(0).done()).isFalse();
        assertThat(all.get(1).done()).isFalse();
        assertThat(all.get(0).socket().isClosed()).isTrue();
        assertThat(all.get(2).done()).isTrue();
        assertThat(all.getLast().done()).isTrue();
        assertThat(handshakes.count()).isEqualTo(Handshakes.MAX_PER_ADDRESS);
    }

    @Test
    void dropsHandshakeOfBusiestAddressFirst() {
        Handshakes.Pending honest = handshakes.begin(from(0));
        int addresses = Handshakes.MAX / Handshakes.MAX_PER_ADDRESS;
        List<Handshakes.Pending> first = begin(1, Handshakes.MAX_PER_ADDRESS);
        for (int a = 2; a <= addresses; a++) {
            begin(a, Handshakes.MAX_PER_ADDRESS);
        }

        assertThat(handshakes.count()).isEqualTo(Handshakes.MAX);
        assertThat(honest.done()).isTrue();
        assertThat(first.getFirst().done()).isFalse();
    }

    @Test
    void dropsOldestHandshakeOfEqualAddresses() {
        List<Handshakes.Pending> all = new ArrayList<>();
        for (int i = 0; i <= Handshakes.MAX; i++) {
            all.add(handshakes.begin(from(i)));
        }

        assertThat(all.getFirst().done()).isFalse();
        assertThat(all.get(1).done()).isTrue();
    }

    @Test
    void finishedHandshakeFreesItsPlace() {
        List<Handshakes.Pending> all = begin(1, Handshakes.MAX_PER_ADDRESS);
        handshakes.over(all.get(7));
        handshakes.over(all.get(7));

        Handshakes.Pending _ = handshakes.begin(from(1));

        assertThat(all.getFirst().done()).isTrue();
        assertThat(handshakes.count()).isEqualTo(Handshakes.MAX_PER_ADDRESS);
    }

    private static Door.Visit ask(InetSocketAddress at, Identity identity) {
        return Door.ask("a", at, identity, new Door.Question(Optional.empty()), NanoClock.SYSTEM);
    }

    @Test
    void silentConnectionsBlockNoTokenHolder() throws IOException {
        List<Socket> strangers = new ArrayList<>();
        // the listener's time limit is so long that these connections could block it for hours
        try (Listener listener = Cluster.listener(Duration.ofHours(1));
                Agent agent = Cluster.agent(listener, List::of)) {
            for (int i = 0; i < MANY; i++) {
                strangers.add(new Socket(InetAddress.getLoopbackAddress(), listener.port()));
            }

            assertThat(ask(Cluster.at(agent), listener.identity()).facts())
                    .isEqualTo(Cluster.facts(""));
        } finally {
            for (Socket s : strangers) {
                s.close();
            }
        }
    }

    private static String whatIsSaidOf(ServerSocket server) {
        return whatIsSaidOf(server.getLocalPort());
    }

    private static String whatIsSaidOf(int port) {
        var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        var said = new StringBuilder();
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> ask(at, Identity.of(Cluster.TOKEN)))
                .satisfies(e -> said.append(e.what()).append(e.why()).append(e.fix()));
        return said.toString();
    }

    /// A peer that is too busy closes connections. That does not show that its token is wrong.
    @Test
    void retriesPeerThatClosesConnections() throws Exception {
        var accepted = new AtomicInteger();
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread _ =
                    Thread.ofVirtual()
                            .start(() -> {
                                while (!server.isClosed()) {
                                    try (Socket _ = server.accept()) {
                                        accepted.incrementAndGet();
                                    } catch (IOException over) {
                                        // as it is when the test has ended
                                    }
                                }
                            });

            assertThat(whatIsSaidOf(server)).doesNotContain("another token");

            assertThat(accepted).hasValueGreaterThan(2);
        }
    }

    /// The peer closes the connection after the handshake. In TLS 1.3, the client has finished the
    /// handshake before the agent has checked the client.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void doesNotReportOtherKeyIfPeerClosesAfterHandshake(boolean reset) {
        var visits = new AtomicInteger();
        try (Listener listener = Cluster.listener()) {
            listener.door(visitor -> {
                try {
                    visits.incrementAndGet();
                    visitor.setSoLinger(reset, 0);
                } catch (IOException gone) {
                    // closed below
                }
                Listener.close(visitor);
            });

            assertThat(whatIsSaidOf(listener.port())).doesNotContain("token", "key");

            assertThat(visits).hasValueGreaterThan(2);
        }
    }

    /// The peer reports the wrong key by a TLS alert.
    @Test
    void reportsPeerWithOtherKey() {
        Identity other = Identity.of(Cluster.TOKEN).trusting(Set.of(OwnKey.generate().open()));
        var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listener listener = Listener.open(at, other)) {
            assertThat(whatIsSaidOf(listener.port()))
                    .contains("token")
                    .doesNotContain("jdyno agents key");
        }
    }

    @Test
    void otherProtocolIsNotReportedAsWrongToken() throws Exception {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread _ =
                    Thread.ofVirtual()
                            .start(() -> {
                                try (Socket s = server.accept()) {
                                    s.getOutputStream()
                                            .write(
                                                    "220 mail ready\r\n"
                                                            .getBytes(StandardCharsets.US_ASCII));
                                    int _ = s.getInputStream().read(new byte[1000]);
                                } catch (IOException over) {
                                    // as it is when the test has ended
                                }
                            });

            assertThat(whatIsSaidOf(server)).doesNotContain("another token");
        }
    }
}
