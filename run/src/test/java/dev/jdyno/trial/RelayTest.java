package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RelayTest {
    /// A server that sends back all that it receives, for one client.
    private static Thread echo(ServerSocket server) {
        return Thread.ofVirtual()
                .start(() -> {
                    try (Socket s = server.accept()) {
                        s.getInputStream().transferTo(s.getOutputStream());
                    } catch (IOException closed) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private static Relay inFrontOf(ServerSocket server) {
        return Relay.inFrontOf(
                InetSocketAddress.createUnresolved("127.0.0.1", server.getLocalPort()));
    }

    private static Socket connect(Relay relay) throws IOException {
        String[] parts = relay.address().split(":");
        return new Socket(parts[0], Integer.parseInt(parts[1]));
    }

    @Test
    void forwardsBothDirectionsUnchanged() throws Exception {
        byte[] sent = new byte[300_000];
        new Random(1).nextBytes(sent);
        byte[] got = new byte[sent.length];
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Relay relay = inFrontOf(server)) {
            Thread echo = echo(server);
            try (Socket client = connect(relay)) {
                Thread writer =
                        Thread.ofVirtual()
                                .start(() -> {
                                    try {
                                        client.getOutputStream().write(sent);
                                        client.shutdownOutput();
                                    } catch (IOException closed) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
                new DataInputStream(client.getInputStream()).readFully(got);
                writer.join();
                assertThat(client.getInputStream().read()).as("end of the stream").isNegative();
            }
            echo.join();
        }
        assertThat(got).isEqualTo(sent);
    }

    @Test
    void relayDelaysRequestsOnlyWhileADelayIsSet() throws Exception {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Relay relay = inFrontOf(server)) {
            Thread echo = echo(server);
            long fast;
            long slow;
            try (Socket client = connect(relay)) {
                roundTrip(client);
                relay.delay(Duration.ofMillis(300));
                slow = roundTrip(client);
                relay.delay(Duration.ZERO);
                fast = Long.MAX_VALUE;
                for (int i = 0; i < 50; i++) {
                    fast = Math.min(fast, roundTrip(client));
                }
            }
            echo.join();

            assertThat(slow).isGreaterThanOrEqualTo(300_000_000L);
            assertThat(fast).isLessThan(slow);
        }
    }

    private static long roundTrip(Socket client) throws IOException {
        long start = System.nanoTime();
        client.getOutputStream().write(1);
        assertThat(client.getInputStream().read()).isEqualTo(1);
        return System.nanoTime() - start;
    }

    @Test
    void missingDownstreamClosesConnection() throws Exception {
        int unusedPort;
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            unusedPort = server.getLocalPort();
        }
        try (Relay relay =
                        Relay.inFrontOf(
                                InetSocketAddress.createUnresolved("127.0.0.1", unusedPort));
                Socket client = connect(relay)) {
            assertThat(client.getInputStream().read()).isNegative();
        }
    }
}
