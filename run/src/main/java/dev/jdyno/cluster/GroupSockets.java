package dev.jdyno.cluster;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.MulticastSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import org.jgroups.util.DefaultSocketFactory;

/// The sockets of the group's protocol. JGroups opens TLS connections with them, but accepts none.
/// All peers connect to the process's {@link Listener}, which hands over a connection once its peer
/// is authenticated.
final class GroupSockets extends DefaultSocketFactory {
    /// Maximum time for each step of a handshake.
    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(5);

    private final int port;
    private final Identity outward;

    /// @param port at which the process listens
    /// @param outward identity that is shown, and that checks the peer, when this process connects
    GroupSockets(int port, Identity outward) {
        this.port = port;
        this.outward = outward;
    }

    /// A socket that JGroups connects. It starts the TLS handshake when it is connected.
    @Override
    public Socket createSocket(String service) throws IOException {
        var socket = (SSLSocket) outward.context().getSocketFactory().createSocket();
        socket.setUseClientMode(true);
        Identity.demand(socket, Identity.GROUP);
        socket.setSoTimeout((int) HANDSHAKE_LIMIT.toMillis());
        socket.addHandshakeCompletedListener(_ -> waitForEver(socket));
        return socket;
    }

    /// Removes the read timeout, because a group may exchange no messages for a long time.
    private static void waitForEver(Socket socket) {
        try {
            socket.setSoTimeout(0);
        } catch (SocketException closed) {
            // if this fails, the next read fails, too
        }
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        return new Unused(port);
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

    /// A server socket that never listens and never accepts. JGroups' accepting thread waits in it
    /// until it is closed.
    private static final class Unused extends ServerSocket {
        private final int port;
        private final CountDownLatch closed = new CountDownLatch(1);

        Unused(int port) throws IOException {
            this.port = port;
        }

        @Override
        public Socket accept() throws IOException {
            try {
                closed.await();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
            throw new SocketException("closed");
        }

        @Override
        public void bind(SocketAddress at) {
            // the listener is bound already
        }

        @Override
        public int getLocalPort() {
            return port;
        }

        @Override
        public void close() throws IOException {
            super.close();
            closed.countDown();
        }
    }
}
