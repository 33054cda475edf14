package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class TcpSocketsTest {
    @Test
    void connectionsInAcceptQueueAreVisibleFromBothSides() throws IOException {
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        try (var server = new ServerSocket(0, 16, here)) {
            int port = server.getLocalPort();
            List<Socket> clients = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    clients.add(new Socket(here, port));
                }

                // a client is connected before the server's side has the end of the handshake
                Eventually.until(
                        () -> TcpSockets.heldBy(port) + " connections at the server, not 3",
                        () -> TcpSockets.heldBy(port) == 3);
                assertThat(TcpSockets.openTo(port)).isEqualTo(3);
            } finally {
                for (Socket client : clients) {
                    client.close();
                }
            }
        }
    }
}
