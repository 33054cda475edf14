package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Only the agent's end of return connections, without TLS.
@Timeout(300)
class ReturnRelayTest {
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final int CLIENTS = 3 * ReturnRelay.BACKLOG;

    /// A server with the failures of a host that has too few file descriptors.
    private static final class Failing extends ServerSocket {
        private final AtomicInteger failures;
        private final List<Socket> accepted = Collections.synchronizedList(new ArrayList<>());
        private final AtomicInteger mostOpen = new AtomicInteger();

        Failing(int failures) throws IOException {
            super(0, CLIENTS, HERE);
            this.failures = new AtomicInteger(failures);
        }

        @Override
        public Socket accept() throws IOException {
            if (failures.getAndDecrement() > 0) {
                throw new IOException("too many open files");
            }
            Socket next = super.accept();
            accepted.add(next);
            accepted.removeIf(Socket::isClosed);
            mostOpen.accumulateAndGet(accepted.size(), Math::max);
            return next;
        }

        Socket client() throws IOException {
            return new Socket(HERE, getLocalPort());
        }
    }

    @Test
    void acceptsAgainAfterAFailure() throws Exception {
        try (var relay = new ReturnRelay();
                var server = new Failing(2)) {
            Thread.ofVirtual().start(() -> relay.accept(server));
            try (Socket client = server.client()) {
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void endsWithItsServer() throws Exception {
        try (var relay = new ReturnRelay()) {
            var server = new Failing(0);
            Thread accepting = Thread.ofVirtual().start(() -> relay.accept(server));

            server.close();

            accepting.join();
            assertThat(accepting.isAlive()).isFalse();
        }
    }

    /// Without a connection from the run, each client waits until its time limit.
    @Test
    void fewConnectionsWaitAtOnce() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (var relay = new ReturnRelay();
                var server = new Failing(0)) {
            Thread.ofVirtual().start(() -> relay.accept(server));
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(server.client());
            }

            for (Socket client : clients) {
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(server.mostOpen.get()).isBetween(1, ReturnRelay.BACKLOG);
        } finally {
            clients.forEach(Listener::close);
        }
    }

    /// A connection of the run is admitted just after the relay has ended.
    @Test
    void aConnectionOfferedAtTheEndIsClosed() throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, HERE)) {
            port = free.getLocalPort();
        }
        try (var server = new ServerSocket(0, 1, HERE);
                var run = new Socket(HERE, server.getLocalPort())) {
            Socket proved = server.accept();
            new DataOutputStream(run.getOutputStream()).writeShort(port);
            var relay = new ReturnRelay();
            Runnable admission = relay.offered(Layered.plain(proved));
            relay.close();

            admission.run();

            assertThat(proved.isClosed()).isTrue();
        }
    }
}
