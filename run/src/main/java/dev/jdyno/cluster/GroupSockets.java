package dev.jdyno.cluster;

import dev.jdyno.cluster.packet.Origins;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jgroups.util.DefaultSocketFactory;

/// The sockets of the group's protocol: those it opens are authenticated before it sends anything,
/// those it accepts have been before it sees them. All share the port of the process's {@link
/// Listener}.
final class GroupSockets extends DefaultSocketFactory {
    private static final int MOST_WAITING = 1024;

    private final Listener listener;
    private final Identity outward;
    private final Origins origins;

    /// @param outward what is shown, and accepted, where this process connects
    GroupSockets(Listener listener, Identity outward, Origins origins) {
        this.listener = listener;
        this.outward = outward;
        this.origins = origins;
    }

    @Override
    public Socket createSocket(String service) throws IOException {
        return GroupSocket.unconnected(outward, origins);
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        var server = new Admitted(listener.port());
        listener.group(
                Optional.of(proved -> {
                    GroupSocket introduced = GroupSocket.accepted(proved, origins);
                    return () -> server.offer(introduced);
                }));
        return server;
    }

    @Override
    public ServerSocket createServerSocket(String service, int port) throws IOException {
        return createServerSocket(service);
    }

    @Override
    public ServerSocket createServerSocket(String service, int port, int backlog)
            throws IOException {
        return createServerSocket(service);
    }

    @Override
    public ServerSocket createServerSocket(
            String service, int port, int backlog, InetAddress address) throws IOException {
        return createServerSocket(service);
    }

    @Override
    public DatagramSocket createDatagramSocket(String service) throws SocketException {
        throw new SocketException("datagrams are not authenticated");
    }

    @Override
    public MulticastSocket createMulticastSocket(String service) throws IOException {
        throw new SocketException("datagrams are not authenticated");
    }

    @Override
    public MulticastSocket createMulticastSocket(String service, int port) throws IOException {
        throw new SocketException("datagrams are not authenticated");
    }

    /// Hands out connections that another port has accepted and authenticated, and whose peers have
    /// introduced themselves: JGroups waits for that in the one thread that accepts.
    private static final class Admitted extends ServerSocket {
        private final int port;

        /// Empty: there will be no other one.
        private final BlockingQueue<Optional<GroupSocket>> waiting =
                new LinkedBlockingQueue<>(MOST_WAITING);

        private volatile boolean closed;

        Admitted(int port) throws IOException {
            this.port = port;
        }

        void offer(GroupSocket socket) {
            Optional<GroupSocket> next = Optional.of(socket);
            if (closed || !waiting.offer(next) || (closed && waiting.remove(next))) {
                Listener.close(socket);
            }
        }

        @Override
        public Socket accept() throws IOException {
            try {
                Optional<GroupSocket> next = closed ? Optional.empty() : waiting.take();
                return next.orElseThrow(() -> new SocketException("closed"));
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw new SocketException("interrupted");
            }
        }

        @Override
        public void bind(SocketAddress at) {
            // the listener is bound already
        }

        @Override
        public void bind(SocketAddress at, int backlog) {
            // the listener is bound already
        }

        @Override
        public int getLocalPort() {
            return port;
        }

        @Override
        public InetAddress getInetAddress() {
            return new InetSocketAddress(port).getAddress();
        }

        @Override
        public boolean isBound() {
            return true;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() throws IOException {
            closed = true;
            List<Optional<GroupSocket>> left = new ArrayList<>();
            waiting.drainTo(left);
            left.forEach(l -> l.ifPresent(Listener::close));
            waiting.add(Optional.empty());
            super.close();
        }
    }
}
