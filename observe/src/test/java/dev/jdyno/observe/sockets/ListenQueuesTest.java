package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.observe.window.SocketSamples;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ListenQueuesTest {
    @Test
    void backlogIsTheSendQOfAListenerInSs() {
        assertThat(
                        ListenQueues.parse(
                                """
                                LISTEN 0      100                *:8080             *:*
                                LISTEN 3      511    127.0.0.1%lo:81         0.0.0.0:*
                                LISTEN 0      50            [::1]:9090          [::]:* users:(("java",pid=1,fd=2))
                                """))
                .isEqualTo(Map.of(8080, 100, 81, 511, 9090, 50));
    }

    @Test
    void listenersThatShareAPortAddUp() {
        assertThat(
                        ListenQueues.parse(
                                "LISTEN 0 511 0.0.0.0:80 0.0.0.0:*\nLISTEN 0 511 0.0.0.0:80 0.0.0.0:*\n"))
                .isEqualTo(Map.of(80, 1022));
    }

    @Test
    void readsBacklogOfRealListener() throws Exception {
        try (var listener = new ServerSocket(0, 37, InetAddress.ofLiteral("127.0.0.1"))) {
            var reported =
                    ListenQueues.of(
                            NetworkCommand.here(ListenQueues.SS), Set.of(listener.getLocalPort()));

            assertThat(reported.orElseThrow())
                    .singleElement()
                    .satisfies(l -> {
                        assertThat(l.atOnce()).isEqualTo(37);
                        assertThat(l.kind()).isEqualTo(LayerLimit.Kind.LISTEN_QUEUE);
                    });
        }
    }

    @Test
    void backlogIsUnknownWithoutSs() throws Exception {
        assertThat(ListenQueues.of(NetworkCommand.here(java.util.List.of("no-such-ss")), Set.of(1)))
                .isEmpty();
    }

    @Test
    void ignoresPortWithFewConnections() {
        assertThat(SocketSamples.portsInUse(Map.of(8080, 95, 8443, 15, 1099, 4)))
                .containsExactlyInAnyOrder(8080, 8443);
    }
}
