package dev.jdyno.cluster;

import dev.jdyno.measure.text.UserError;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

/// Connections that a run opens to an agent behind a port-forward, so that the agent can connect to
/// the run: a port-forward leads in one direction only. A few of them are always unused (spare).
/// When the agent uses one, this end connects it to the run's own port, and opens another spare
/// one.
///
/// These connections use the agent's only port and are authenticated like its other connections.
public final class ReturnConnections implements AutoCloseable {
    /// Number of spare connections. An agent opens one, and another one after an interruption.
    static final int SPARE = 2;

    /// Maximum number of connections to the agent, spare and used ones. It limits the number of
    /// connections that an agent can cause on this host.
    static final int MAX = 8;

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);

    /// Time between two attempts to open a spare connection.
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final AgentAddress agent;
    private final Identity identity;
    private final InetSocketAddress run;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Semaphore free = new Semaphore(MAX);
    private final CountDownLatch closed = new CountDownLatch(1);

    private ReturnConnections(AgentAddress agent, Identity identity, InetSocketAddress run) {
        this.agent = agent;
        this.identity = identity;
        this.run = run;
    }

    /// Keeps spare connections open until this object is closed.
    ///
    /// @param run the run's own listener, on this host
    public static ReturnConnections keep(
            AgentAddress agent, Credentials credentials, InetSocketAddress run) {
        var connections = new ReturnConnections(agent, credentials.towards(agent), run);
        for (int i = 0; i < SPARE; i++) {
            Thread _ = Thread.ofVirtual().name("jdyno-return").start(connections::keepOne);
        }
        return connections;
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /// Keeps one spare connection open. When it is used or has ended, another one is opened.
    private void keepOne() {
        try {
            do {
                while (!isClosed() && isUsed()) {
                    // the agent uses the connection: open the next one at once
                }
            } while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /// Opens a connection and waits until the agent uses it. If there are {@link #MAX}, it waits
    /// for the end of one first.
    ///
    /// @return false if it cannot be opened, or ends unused
    private boolean isUsed() throws InterruptedException {
        free.acquire();
        var tcp = new Socket();
        open.add(tcp);
        Optional<Layered> used = Optional.empty();
        try {
            used = used(tcp);
        } finally {
            if (used.isEmpty()) {
                end(tcp);
            }
        }
        used.ifPresent(to -> Thread.ofVirtual().name("jdyno-return").start(() -> join(to)));
        return used.isPresent();
    }

    /// Connects the socket and waits until the agent uses it; empty if it ends unused.
    private Optional<Layered> used(Socket tcp) {
        try {
            if (isClosed()) {
                return Optional.empty();
            }
            SSLSocket spare = Door.forReturns(agent.toString(), agent.socket(), identity, tcp);
            new DataOutputStream(spare.getOutputStream()).writeShort(run.getPort());
            return spare.getInputStream().read() == ReturnRelay.GO
                    ? Optional.of(new Layered(tcp, spare))
                    : Optional.empty();
        } catch (IOException | UserError ended) {
            // another connection is tried; if the agent is unreachable, the invitation fails or its
            // silence shows it
            return Optional.empty();
        }
    }

    private void join(Layered used) {
        var own = new Socket();
        open.add(own);
        try {
            own.setTcpNoDelay(true);
            own.connect(run, (int) CONNECT_LIMIT.toMillis());
            used.data().getOutputStream().write(ReturnRelay.CONNECTED);
            if (!isClosed()) {
                Pumped.between(used, Layered.plain(own));
            }
        } catch (IOException ended) {
            // the agent sees a closed connection, and takes the next one
        } finally {
            drop(own);
            end(used.tcp());
        }
    }

    /// Ends a connection to the agent.
    private void end(Socket tcp) {
        drop(tcp);
        free.release();
    }

    private void drop(Socket socket) {
        open.remove(socket);
        Listener.close(socket);
    }

    @Override
    public void close() {
        closed.countDown();
        open.forEach(Listener::close);
    }
}
