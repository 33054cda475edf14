package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.sockets.SocketStatistics.End;
import dev.jdyno.observe.sockets.SocketStatistics.Known;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    // output of iproute2 6.1.0, shortened: a connection with unsent data, one that awaits an
    // answer, two idle ones, another process's connection to the same address, and one with IPv6
    private static final String SAID =
            """
            0      104    [::ffff:127.0.0.1]:40234    [::ffff:127.0.0.1]:18101
            \t cubic rto:204 unacked:1 bytes_received:9 lastsnd:44 lastrcv:40 notsent:100 minrtt:0.01
            0      0      127.0.0.1:48456          127.0.0.1:18101
            \t bbr rto:236 lastsnd:12 lastrcv:900 lastack:12 reordering:6
            0      0      127.0.0.1:48458          127.0.0.1:18101
            \t cubic bytes_sent:80 bytes_received:412 lastsnd:908 lastrcv:904 lastack:904
            0      0      127.0.0.1:50000          127.0.0.1:18101
            \t cubic lastsnd:12 lastrcv:900
            0      8    [::1]:40238          [::1]:18101
            \t cubic lastrcv:4 notsent:8
            """;

    private static final String PLACE = "127.0.0.1:18101";

    private static final Set<End> OWN =
            Set.of(
                    new End(40234, PLACE),
                    new End(48456, PLACE),
                    new End(48458, PLACE),
                    new End(40236, "127.0.0.1:5432"),
                    new End(40237, "127.0.0.1:5432"),
                    new End(40238, "[0:0:0:0:0:0:0:1]:18101"));

    private static Connections after(String... looks) {
        var connections = new Connections();
        for (String output : looks) {
            connections.add(SocketStatistics.parse(output), OWN);
        }
        return connections;
    }

    @Test
    void connectionWithLastSegmentSentAwaitsReply() {
        assertThat(after(SAID).calls(_ -> Optional.empty()))
                .containsExactlyInAnyOrder(
                        new Calls(PlaceText.peer(PLACE), 3, 1, 3),
                        new Calls(PlaceText.peer("[0:0:0:0:0:0:0:1]:18101"), 1, 1, 1));
    }

    /// A connection that sent and received within one clock tick, at the database's port.
    private static String oneTick(int localPort, int sendQueue, String known) {
        return """
        0 %d 127.0.0.1:%d 127.0.0.1:5432
        \t cubic %s
        """
                .formatted(sendQueue, localPort, known);
    }

    private static final String ANSWERED_BEFORE =
            "bytes_sent:80 bytes_acked:81 bytes_received:412 lastsnd:24 lastrcv:24 lastack:";

    @Test
    void acknowledgementDecidesWithinOneTick() {
        assertThat(
                        after(oneTick(40236, 80, ANSWERED_BEFORE + 24))
                                .calls(_ -> Optional.empty())
                                .getFirst()
                                .awaiting())
                .as("the request is not acknowledged")
                .isEqualTo(1);
        assertThat(
                        after(oneTick(40236, 0, ANSWERED_BEFORE + 4))
                                .calls(_ -> Optional.empty())
                                .getFirst()
                                .awaiting())
                .as("the request was acknowledged after the last answer came")
                .isEqualTo(1);
        assertThat(
                        after(oneTick(40236, 0, "bytes_sent:80 bytes_acked:81 lastsnd:4 lastrcv:4"))
                                .calls(_ -> Optional.empty())
                                .getFirst()
                                .awaiting())
                .as("the first call of a new connection")
                .isEqualTo(1);
        assertThat(
                        after(oneTick(40236, 0, "lastsnd:4 lastrcv:4"))
                                .calls(_ -> Optional.empty())
                                .getFirst()
                                .awaiting())
                .as("a new connection without a call")
                .isZero();
    }

    @Test
    void dividesUndecidedConnectionsInTheRatioOfDecidedConnections() {
        String undecided = oneTick(40236, 0, ANSWERED_BEFORE + 24);
        String awaits = oneTick(40237, 80, "bytes_sent:80 bytes_received:412 lastsnd:4 lastrcv:4");
        String idle = oneTick(40237, 0, "bytes_received:4 lastsnd:28 lastrcv:24");

        assertThat(after(undecided).calls(_ -> Optional.empty()).getFirst().awaiting())
                .isEqualTo(0.5);
        assertThat(after(undecided + awaits).calls(_ -> Optional.empty()).getFirst().awaiting())
                .isEqualTo(1.75);
        assertThat(after(undecided + idle).calls(_ -> Optional.empty()).getFirst().awaiting())
                .isEqualTo(0.25);
    }

    /// AsyncHttpClient reuses a connection within the tick in which it was returned.
    @Test
    void unknownConnectionIsOpenCallIfCallsTakeLong() {
        String undecided = oneTick(40236, 0, ANSWERED_BEFORE + 24);
        String idleSince = oneTick(40237, 0, "bytes_received:4 lastsnd:9130 lastrcv:9000");

        assertThat(
                        after(undecided + idleSince, undecided + idleSince)
                                .calls(_ -> Optional.empty())
                                .getFirst()
                                .awaiting())
                .isEqualTo(1);
    }

    /// A call that is 12 ms old when it is sampled lasts 24 ms on average.
    @Test
    void openCallLastsTwiceItsAgeWhenSampled() {
        String undecided = oneTick(40236, 0, ANSWERED_BEFORE + 24);
        String awaits =
                oneTick(40237, 80, "bytes_sent:80 bytes_received:412 lastsnd:12 lastrcv:40");

        assertThat(after(undecided + awaits).calls(_ -> Optional.empty()).getFirst().awaiting())
                .isEqualTo(2);
    }

    @Test
    void aDatabaseIsNamed() {
        assertThat(after(SAID).calls(p -> Optional.of("MySQL").filter(_ -> p.equals(PLACE))))
                .contains(new Calls(PlaceText.peer("MySQL " + PLACE), 3, 1, 3, true));
    }

    @Test
    void readsOneLinePerConnection() {
        assertThat(after(SAID.replace("\n\t", "")).calls(_ -> Optional.empty()))
                .isEqualTo(after(SAID).calls(_ -> Optional.empty()));
    }

    @Test
    void distinguishesNewFromKeptConnectionsByPort() {
        assertThat(after(SAID, SAID).calls(_ -> Optional.empty()).getFirst().opened())
                .isEqualTo(after(SAID).calls(_ -> Optional.empty()).getFirst().opened());
        String other = SAID.replace("48456", "40234").replaceFirst("40234", "48456");

        assertThat(after(SAID, other).calls(_ -> Optional.empty()))
                .contains(new Calls(PlaceText.peer(PLACE), 3, 1, 3));
    }

    @Test
    void connectionsWithUnsentRestAreHeldBack() {
        assertThat(after(SAID, SAID).heldBack().of(Sign.HELD_BACK_SOCKETS)).contains(2.0);
        assertThat(after().heldBack().values()).isEmpty();
    }

    /// Of the two peers in the same network namespace, one has unsent data. A third connection of
    /// the same server belongs to another client.
    @Test
    void localPeerHoldsDataBack() {
        String others =
                """
                0      104    [::ffff:127.0.0.1]:18101    [::ffff:127.0.0.1]:48456
                \t cubic lastsnd:40 lastrcv:40 notsent:100
                0      0      127.0.0.1:18101    127.0.0.1:48458
                \t cubic lastsnd:40 lastrcv:40
                0      7      127.0.0.1:18101    127.0.0.1:50000
                \t cubic lastsnd:40 lastrcv:40 notsent:7
                """;

        assertThat(after(SAID).heldBack().of(Sign.PEER_HELD_BACK_SOCKETS)).isEmpty();
        assertThat(after(SAID + others, SAID).heldBack().of(Sign.PEER_HELD_BACK_SOCKETS))
                .contains(0.5);
    }

    @Test
    void aTargetWithoutConnectionsHasNoCalls() {
        var connections = new Connections();

        connections.add(SocketStatistics.parse(SAID), Set.of());

        assertThat(connections.calls(_ -> Optional.empty())).isEmpty();
    }

    @Test
    void detectsRealCallFromKernel() throws Exception {
        assumeThat(Path.of("/usr/bin/ss").toFile().exists() || Path.of("/bin/ss").toFile().exists())
                .as("iproute2 is installed")
                .isTrue();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket served = server.accept()) {
            String place = "127.0.0.1:" + server.getLocalPort();
            Set<End> own = Set.of(new End(client.getLocalPort(), place));
            Set<End> accepted =
                    Set.of(new End(server.getLocalPort(), "127.0.0.1:" + client.getLocalPort()));
            client.getOutputStream().write(1);
            served.getInputStream().read();
            // sleeps: a call longer than a tick of the kernel's clock, which is at most 10 ms
            Thread.sleep(50);

            var waiting = new Connections();
            var inside = new AcceptedConnections();
            List<Known> now = SocketStatistics.here().ask(NanoClock.SYSTEM).orElseThrow();
            waiting.add(now, own);
            inside.add(now, accepted);
            served.getOutputStream().write(1);
            client.getInputStream().read();
            var answered = new Connections();
            var left = new AcceptedConnections();
            List<Known> then = SocketStatistics.here().ask(NanoClock.SYSTEM).orElseThrow();
            answered.add(then, own);
            left.add(then, accepted);

            assertThat(waiting.calls(_ -> Optional.empty()))
                    .containsExactly(new Calls(PlaceText.peer(place), 1, 1, 1));
            assertThat(inside.inside().of(Sign.REQUESTS_INSIDE)).contains(1.0);
            assertThat(answered.calls(_ -> Optional.empty()))
                    .containsExactly(new Calls(PlaceText.peer(place), 1, 0, 1));
            assertThat(left.inside().of(Sign.REQUESTS_INSIDE)).contains(0.0);
        }
    }
}
