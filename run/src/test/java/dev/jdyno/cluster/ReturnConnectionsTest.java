package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.key.KnownAgents;
import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Agent and run have separate loopback addresses, so that both can use the run's port number. The
/// agent listens on that port at 127.0.0.1, the run at 127.0.0.2.
class ReturnConnectionsTest {
    private static final InetAddress AGENTS = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress RUNS = InetAddress.ofLiteral("127.0.0.2");
    private static final int TIMEOUT_MS = 300_000;

    private final OwnKey run = OwnKey.generate();
    private final OwnKey agent = OwnKey.generate();
    private Listener listener;
    private AgentAddress at;

    @BeforeEach
    void anAgentListens() {
        listener = Listener.open(new InetSocketAddress(AGENTS, 0), agent, Set.of(run.open()));
        listener.acceptReturns();
        at = new AgentAddress(AGENTS.getHostAddress(), listener.port());
    }

    @AfterEach
    void end() {
        listener.close();
    }

    private Credentials credentials(OwnKey own) {
        return Credentials.of(
                own, new KnownAgents(Path.of("none"), Map.of(at.toString(), agent.open())));
    }

    /// A server of the run that sends everything back.
    private static ServerSocket echo() throws IOException {
        return server(client -> client.getInputStream().transferTo(client.getOutputStream()));
    }

    private interface Answer {
        void to(Socket client) throws IOException;
    }

    private static ServerSocket server(Answer answer) throws IOException {
        ServerSocket server = reserved();
        Thread.ofVirtual()
                .start(() -> {
                    while (!server.isClosed()) {
                        try {
                            Socket client = server.accept();
                            Thread.ofVirtual().start(() -> answer(client, answer));
                        } catch (IOException closed) {
                            return;
                        }
                    }
                });
        return server;
    }

    /// Listens at the run's address, on a port that is also free at the agent's address.
    private static ServerSocket reserved() throws IOException {
        while (true) {
            var server = new ServerSocket();
            server.bind(new InetSocketAddress(RUNS, 0), 64);
            try (var other = new ServerSocket()) {
                other.bind(new InetSocketAddress(AGENTS, server.getLocalPort()));
                return server;
            } catch (BindException taken) {
                server.close();
            }
        }
    }

    private static void answer(Socket client, Answer answer) {
        try (client) {
            answer.to(client);
        } catch (IOException ended) {
            // the test looks at the other end
        }
    }

    private Socket connected(int port) throws IOException {
        var socket = new Socket();
        socket.connect(new InetSocketAddress(AGENTS, port));
        socket.setSoTimeout(TIMEOUT_MS);
        return socket;
    }

    private interface Exchange {
        void run() throws IOException;
    }

    /// Not in the common pool, whose few threads would all wait for each other.
    private static CompletableFuture<Void> atOnce(Exchange exchange) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        exchange.run();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                r -> Thread.ofVirtual().start(r));
    }

    private static void exchange(Socket socket, int bytes) throws IOException {
        byte[] sent = new byte[bytes];
        Arrays.fill(sent, (byte) (bytes % 100));
        CompletableFuture<Void> sending =
                atOnce(() -> {
                    var out = new DataOutputStream(socket.getOutputStream());
                    out.write(sent);
                    out.flush();
                });
        byte[] back = new DataInputStream(socket.getInputStream()).readNBytes(bytes);
        sending.join();
        assertThat(back).isEqualTo(sent);
    }

    private void untilListening(int port) throws Exception {
        Eventually.until(
                "the agent listens at the run's port",
                () -> {
                    try (Socket socket = connected(port)) {
                        socket.getOutputStream().write(7);
                        return socket.getInputStream().read() == 7;
                    } catch (IOException notYet) {
                        return false;
                    }
                });
    }

    @Test
    void connectionsOfTheAgentReachTheRun() throws Exception {
        try (ServerSocket server = echo();
                ReturnConnections _ =
                        ReturnConnections.keep(
                                at,
                                credentials(run),
                                new InetSocketAddress(RUNS, server.getLocalPort()))) {
            int port = server.getLocalPort();
            untilListening(port);

            List<CompletableFuture<Void>> all =
                    IntStream.range(0, 4)
                            .mapToObj(i ->
                                    atOnce(() -> {
                                        try (Socket socket = connected(port)) {
                                            exchange(socket, 100_000 + i);
                                        }
                                    }))
                            .toList();

            assertThat(all).allSatisfy(c -> assertThat(c.join()).isNull());
        }
    }

    @Test
    void endOfTheRunClosesReturnConnections() throws Exception {
        try (ServerSocket server = echo()) {
            int port = server.getLocalPort();
            var connections =
                    ReturnConnections.keep(at, credentials(run), new InetSocketAddress(RUNS, port));
            untilListening(port);
            try (Socket used = connected(port)) {
                exchange(used, 10);

                connections.close();

                assertThat(used.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void agentThatEndsClosesConnectionsAndFreesThePort() throws Exception {
        try (ServerSocket server = echo();
                ReturnConnections _ =
                        ReturnConnections.keep(
                                at,
                                credentials(run),
                                new InetSocketAddress(RUNS, server.getLocalPort()))) {
            int port = server.getLocalPort();
            untilListening(port);
            try (Socket used = connected(port)) {
                exchange(used, 10);

                listener.close();

                assertThat(used.getInputStream().read()).isEqualTo(-1);
            }
            Eventually.until(
                    "nothing listens any more",
                    () -> {
                        try (Socket _ = connected(port)) {
                            return false;
                        } catch (ConnectException free) {
                            return true;
                        } catch (SocketException closing) {
                            // reset: the connection was in the queue of a socket that closed
                            return false;
                        }
                    });
        }
    }

    /// Only a process with the run's key can open a port on the agent's host.
    @Test
    void aProcessWithAnotherKeyGetsNothing() throws Exception {
        try (ServerSocket server = echo();
                ReturnConnections _ =
                        ReturnConnections.keep(
                                at,
                                credentials(OwnKey.generate()),
                                new InetSocketAddress(RUNS, server.getLocalPort()))) {
            Eventually.until("it is refused", () -> listener.refused() >= 4);

            try (Socket _ = connected(server.getLocalPort())) {
                throw new AssertionError("the agent listens for a stranger");
            } catch (ConnectException refused) {
                assertThat(refused).isNotNull();
            }
        }
    }

    /// An agent that does not allow return connections opens no port.
    @Test
    void anOrdinaryAgentRefusesReturnConnections() throws Exception {
        try (Listener ordinary =
                        Listener.open(new InetSocketAddress(AGENTS, 0), agent, Set.of(run.open()));
                ServerSocket server = echo()) {
            var other = new AgentAddress(AGENTS.getHostAddress(), ordinary.port());
            Credentials known =
                    Credentials.of(
                            run,
                            new KnownAgents(
                                    Path.of("none"), Map.of(other.toString(), agent.open())));
            try (ReturnConnections _ =
                    ReturnConnections.keep(
                            other, known, new InetSocketAddress(RUNS, server.getLocalPort()))) {
                Eventually.until("it is refused", () -> ordinary.refused() >= 4);
            }
        }
    }

    /// Writes until the connection ends, and counts the bytes.
    private static void flood(Socket to, AtomicLong sent) throws IOException {
        byte[] chunk = new byte[1 << 16];
        while (true) {
            to.getOutputStream().write(chunk);
            sent.addAndGet(chunk.length);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch over) throws IOException {
        try {
            over.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /// Waits until all buffers on the way are full. If it returns early, the test still holds.
    private static void untilBlocked(AtomicLong sent) {
        var last = new AtomicLong();
        var same = new AtomicInteger();
        Eventually.until(
                "nothing more is sent",
                () -> {
                    long now = sent.get();
                    boolean moved = last.getAndSet(now) != now || now == 0;
                    return (moved ? same.updateAndGet(_ -> 0) : same.incrementAndGet()) > 100;
                });
    }

    /// The run writes, and the agent's client does not read: the run ends its connections anyway.
    @Test
    void theRunDoesNotWaitForAnAgentThatDoesNotRead() throws Exception {
        var sent = new AtomicLong();
        var first = new AtomicBoolean(true);
        try (ServerSocket server =
                server(client -> {
                    int asked = client.getInputStream().read();
                    client.getOutputStream().write(asked);
                    if (client.getInputStream().read() >= 0 && first.getAndSet(false)) {
                        flood(client, sent);
                    }
                })) {
            int port = server.getLocalPort();
            var connections =
                    ReturnConnections.keep(at, credentials(run), new InetSocketAddress(RUNS, port));
            untilListening(port);
            try (Socket used = connected(port)) {
                used.getOutputStream().write(new byte[] {1, 2});
                untilBlocked(sent);

                CompletableFuture<Void> end = atOnce(connections::close);

                Eventually.until("the end", end::isDone);
                assertThat(sent.get()).isPositive();
            }
        }
    }

    /// The agent's client writes, and the run does not read: the agent ends anyway.
    @Test
    void theAgentDoesNotWaitForARunThatDoesNotRead() throws Exception {
        var sent = new AtomicLong();
        var over = new CountDownLatch(1);
        try (ServerSocket server =
                        server(client -> {
                            client.getOutputStream().write(client.getInputStream().read());
                            awaitUninterruptibly(over);
                        });
                ReturnConnections _ =
                        ReturnConnections.keep(
                                at,
                                credentials(run),
                                new InetSocketAddress(RUNS, server.getLocalPort()))) {
            untilListening(server.getLocalPort());
            try (Socket used = connected(server.getLocalPort())) {
                CompletableFuture<Void> flood = atOnce(() -> flood(used, sent));
                untilBlocked(sent);

                CompletableFuture<Void> end = atOnce(listener::close);

                Eventually.until("the end", end::isDone);
                Eventually.until("the end of the client", flood::isDone);
            } finally {
                over.countDown();
            }
        }
    }

    /// An agent that uses each connection at once and keeps it.
    private final class Greedy implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 64, AGENTS);
        private final Deque<Socket> open = new ConcurrentLinkedDeque<>();
        private final AtomicInteger used = new AtomicInteger();
        private final AtomicInteger mostOpen = new AtomicInteger();

        Greedy() throws IOException {
            Thread.ofVirtual().start(this::accept);
        }

        AgentAddress address() {
            return new AgentAddress(AGENTS.getHostAddress(), server.getLocalPort());
        }

        private void accept() {
            while (!server.isClosed()) {
                try {
                    use(server.accept());
                } catch (IOException ended) {
                    // the next one, unless the server is closed
                }
            }
        }

        private void use(Socket tcp) throws IOException {
            var socket =
                    (SSLSocket)
                            Identity.of(agent, Set.of(run.open()))
                                    .context()
                                    .getSocketFactory()
                                    .createSocket(tcp, null, tcp.getPort(), true);
            socket.setUseClientMode(false);
            Identity.demand(socket, Identity.RETURN);
            socket.startHandshake();
            int _ = new DataInputStream(socket.getInputStream()).readUnsignedShort();
            open.add(tcp);
            mostOpen.accumulateAndGet(open.size(), Math::max);
            socket.getOutputStream().write(ReturnRelay.GO);
            used.incrementAndGet();
        }

        void endOne() {
            Listener.close(open.removeFirst());
        }

        @Override
        public void close() throws IOException {
            server.close();
            open.forEach(Listener::close);
        }
    }

    @Test
    void anAgentThatUsesEachConnectionGetsALimitedNumber() throws Exception {
        try (var greedy = new Greedy();
                ServerSocket server = echo()) {
            Credentials known =
                    Credentials.of(
                            run,
                            new KnownAgents(
                                    Path.of("none"),
                                    Map.of(greedy.address().toString(), agent.open())));
            try (ReturnConnections _ =
                    ReturnConnections.keep(
                            greedy.address(),
                            known,
                            new InetSocketAddress(RUNS, server.getLocalPort()))) {
                for (int ended = 0; ended <= 5; ended++) {
                    int wanted = ReturnConnections.MAX + ended;
                    Eventually.until("it has all", () -> greedy.used.get() >= wanted);
                    greedy.endOne();
                }
            }
            assertThat(greedy.mostOpen.get()).isEqualTo(ReturnConnections.MAX);
        }
    }

    /// The complete procedure. The founder announces 127.0.0.1 as its address, where only the
    /// agent's relay listens. The agent joins the group through the relay.
    @Test
    void anAgentJoinsARunThatItCannotConnectTo() throws IOException {
        Credentials mine = credentials(run);
        int port;
        try (ServerSocket free = reserved()) {
            port = free.getLocalPort();
        }
        try (Agent joins = Cluster.agent(listener, List::of);
                Listener own = mine.listen(new InetSocketAddress(RUNS, port), List.of(at));
                Group group =
                        Group.found(
                                own, AGENTS, new Handlers(), Group.Events.NONE, NanoClock.SYSTEM);
                ReturnConnections _ =
                        ReturnConnections.keep(at, mine, new InetSocketAddress(RUNS, own.port()))) {
            Member member = group.invite(at, mine, "test");

            assertThat(group.members()).containsExactly(member);
            assertThat(joins.port()).isEqualTo(at.port());
            Eventually.until("its clock is known", () -> group.clock(member).isPresent());
        }
    }
}
