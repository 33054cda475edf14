package dev.jdyno.cluster;

import dev.jdyno.cluster.key.PeerKey;
import dev.jdyno.cluster.packet.Origins;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.jgroups.stack.IpAddress;

/// A connection of the group's protocol, as JGroups gets it: authenticated, and with an address of
/// its host that no connection of another key has used ({@link Origins}).
final class GroupSocket extends Socket {
    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(5);

    private final SSLSocket inner;
    private final Origins origins;
    private InputStream in = InputStream.nullInputStream();

    private GroupSocket(SSLSocket inner, Origins origins) {
        this.inner = inner;
        this.origins = origins;
    }

    /// One that JGroups will connect; the handshake is part of that.
    static Socket unconnected(Identity identity, Origins origins) throws IOException {
        var socket = (SSLSocket) identity.context().getSocketFactory().createSocket();
        socket.setUseClientMode(true);
        Identity.demand(socket, Identity.GROUP);
        return new GroupSocket(socket, origins);
    }

    /// One whose peer has connected. Waits until the peer has said where it listens.
    ///
    /// @throws IOException when that is another host, or another peer listens there
    static GroupSocket accepted(SSLSocket proved, Origins origins) throws IOException {
        var socket = new GroupSocket(proved, origins);
        socket.endAtOnce();
        PeerKey by = Identity.peer(proved);
        var introduced = Introduced.read(proved.getInputStream());
        if (!proved.getInetAddress().equals(introduced.at().getIpAddress())) {
            throw new IOException("a peer that listens on another host than it comes from");
        }
        origins.introduce(introduced.at(), by);
        socket.in = introduced.all();
        return socket;
    }

    /// Closing one of TLS may wait for the peer.
    private void endAtOnce() throws SocketException {
        inner.setSoLinger(true, 0);
    }

    @Override
    public void connect(SocketAddress to, int timeoutMs) throws IOException {
        try {
            inner.connect(to, timeoutMs);
            int limit = inner.getSoTimeout();
            inner.setSoTimeout((int) HANDSHAKE_LIMIT.toMillis());
            inner.startHandshake();
            inner.setSoTimeout(limit); // a group that has nothing to say is still a group
            endAtOnce();
            origins.introduce(new IpAddress((InetSocketAddress) to), Identity.peer(inner));
            in = inner.getInputStream();
        } catch (IOException notMet) {
            Listener.close(inner);
            throw notMet;
        }
    }

    @Override
    public void connect(SocketAddress to) throws IOException {
        connect(to, 0);
    }

    @Override
    public InputStream getInputStream() {
        return in;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return inner.getOutputStream();
    }

    @Override
    public void close() throws IOException {
        inner.close();
    }

    @Override
    public boolean isClosed() {
        return inner.isClosed();
    }

    @Override
    public boolean isConnected() {
        return inner.isConnected();
    }

    @Override
    public boolean isBound() {
        return inner.isBound();
    }

    @Override
    public void bind(SocketAddress at) throws IOException {
        inner.bind(at);
    }

    @Override
    public InetAddress getInetAddress() {
        return inner.getInetAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        return inner.getLocalAddress();
    }

    @Override
    public int getPort() {
        return inner.getPort();
    }

    @Override
    public int getLocalPort() {
        return inner.getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return inner.getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return inner.getLocalSocketAddress();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        inner.setTcpNoDelay(on);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        inner.setKeepAlive(on);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) {
        // as it ends at once
    }

    @Override
    public void setSoTimeout(int ms) throws SocketException {
        inner.setSoTimeout(ms);
    }

    @Override
    public int getSoTimeout() throws SocketException {
        return inner.getSoTimeout();
    }

    @Override
    public void setSendBufferSize(int bytes) throws SocketException {
        inner.setSendBufferSize(bytes);
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        inner.setReceiveBufferSize(bytes);
    }
}
