package dev.jdyno.lab.downstream;

import dev.jdyno.lab.service.CannotStart;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;

/// A server that only waits: one thread, one selector, one heap of answers by their due time.
///
/// It shares the machine with the service under test, so its own cost reduces what the service
/// gets. An answer is never early. It is up to a millisecond late, the resolution of the selector's
/// timeout. A request occupies a slot for its delay. Without a free slot it waits in a queue, and
/// its delay begins when it gets a slot, even if its client has disconnected.
public final class DelayServer implements AutoCloseable {
    /// Maximum number of connections that wait to be accepted.
    private static final int BACKLOG = 4096;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final int slots;
    private final PriorityQueue<Connection> due =
            new PriorityQueue<>((a, b) -> Long.compare(a.dueNanos - b.dueNanos, 0));
    private final Queue<Connection> inLine = new ArrayDeque<>();

    private DelayServer(Selector selector, ServerSocketChannel listener, int slots) {
        this.selector = selector;
        this.listener = listener;
        this.slots = slots;
    }

    /// Listens, but answers no request before [#run].
    public static DelayServer bind(String bind, int port, int slots) throws IOException {
        if (slots < 1) {
            throw new CannotStart(
                    "--slots " + slots,
                    "a server without slots answers no request",
                    "give 1 or more");
        }
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            listener.bind(new InetSocketAddress(bind, port), BACKLOG);
        } catch (IOException e) {
            listener.close();
            throw CannotStart.listening(bind, port, String.valueOf(e.getMessage()));
        }
        listener.configureBlocking(false);
        Selector selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        return new DelayServer(selector, listener, slots);
    }

    public int port() {
        return listener.socket().getLocalPort();
    }

    /// Serves until closed.
    public void run() throws IOException {
        while (selector.isOpen()) {
            try {
                selector.select(this::ready, millisToNext());
                answerDue();
            } catch (ClosedSelectorException e) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    /// Milliseconds until the next answer is due, rounded up; 0 to wait without limit.
    private long millisToNext() {
        Connection next = due.peek();
        if (next == null) {
            return 0;
        }
        long nanos = next.dueNanos - System.nanoTime();
        return Math.max(1, (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
    }

    private void ready(SelectionKey key) {
        if (key.isAcceptable()) {
            accept();
            return;
        }
        Connection connection = (Connection) key.attachment();
        if (key.isValid() && key.isWritable()) {
            connection.write();
        }
        if (key.isValid() && key.isReadable()) {
            connection.read();
        }
        next(connection);
    }

    private void accept() {
        try {
            for (SocketChannel socket = listener.accept();
                    socket != null;
                    socket = listener.accept()) {
                socket.configureBlocking(false);
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
                key.attach(new Connection(socket, key));
            }
        } catch (IOException e) {
            // the process is usually out of file descriptors: existing connections continue, new
            // ones wait in the backlog
            System.err.println("cannot accept: " + e.getMessage());
        }
    }

    /// Takes the next request of the connection, unless another request is current.
    private void next(Connection connection) {
        if (connection.takeRequest()) {
            if (due.size() < slots) {
                occupySlot(connection);
            } else {
                inLine.add(connection);
            }
        }
    }

    private void occupySlot(Connection connection) {
        connection.dueNanos = System.nanoTime() + connection.delayNanos();
        due.add(connection);
    }

    private void answerDue() {
        long now = System.nanoTime();
        for (Connection c = due.peek(); c != null && c.dueNanos - now <= 0; c = due.peek()) {
            due.remove();
            Connection waiting = inLine.poll();
            if (waiting != null) {
                occupySlot(waiting);
            }
            c.answer();
            next(c);
        }
    }
}
