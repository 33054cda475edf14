package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.Connection;
import org.junit.jupiter.api.Test;

class ClientsTest {
    private final Clients clients = new Clients();

    private Connection opened() {
        var connection =
                new AbstractConnection(new ByteArrayEndPoint(), Runnable::run) {
                    @Override
                    public void onFillable() {}
                };
        clients.onOpened(connection);
        return connection;
    }

    private List<Connection> opened(int count) {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(opened());
        }
        return all;
    }

    private List<Connection> known(int count) {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(opened());
            assertThat(clients.know(all.getLast())).isTrue();
        }
        return all;
    }

    /// The request of the oldest connection was already read.
    @Test
    void forgetsOldestConnectionAfterClose() {
        for (int i = 0; i < Clients.MAX_KNOWN; i++) {
            List<Connection> all = opened(Clients.MAX_UNKNOWN + 1);
            assertThat(all.getFirst().getEndPoint().isOpen()).isFalse();

            boolean beforeItWasHeardOf = clients.know(all.getFirst());
            clients.onClosed(all.getFirst());
            boolean after = clients.know(all.getFirst());

            assertThat(beforeItWasHeardOf).isFalse();
            assertThat(after).isFalse();
            all.forEach(clients::onClosed);
        }

        assertThat(clients.know(opened())).isTrue();
    }

    /// For example, the client closed the connection while its request was answered.
    @Test
    void forgetsKnownConnectionAfterItsEnd() {
        List<Connection> all = known(Clients.MAX_KNOWN);
        for (Connection each : all) {
            assertThat(clients.know(each)).isTrue();
            clients.onClosed(each);
            assertThat(clients.know(each)).isFalse();
        }

        assertThat(known(Clients.MAX_KNOWN)).hasSize(Clients.MAX_KNOWN);
    }

    @Test
    void keepsAtMostAllowedConnections() {
        List<Connection> all = known(Clients.MAX_KNOWN);
        Connection next = opened();

        assertThat(clients.know(next)).isFalse();

        clients.onClosed(all.getFirst());
        assertThat(clients.know(opened())).isTrue();
    }
}
