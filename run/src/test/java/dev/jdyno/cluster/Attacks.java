package dev.jdyno.cluster;

import java.io.DataOutput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLSocket;
import org.jgroups.Version;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataOutputStream;

/// Sends packets of an authenticated peer that violate JGroups' protocol.
final class Attacks {
    /// A time limit that only ends a test that hangs.
    static final Duration LIMIT = Duration.ofMinutes(2);

    private static final byte[] COOKIE = {'b', 'e', 'l', 'a'};

    private Attacks() {}

    /// The content of a packet after its header.
    interface Content {
        void writeTo(DataOutput out) throws IOException;
    }

    static byte[] packet(int flags, Content content) throws IOException {
        var out = new ByteArrayDataOutputStream(1024);
        out.writeShort(Version.version);
        out.writeByte(flags);
        content.writeTo(out);
        return Arrays.copyOf(out.buffer(), out.position());
    }

    /// Sends the packets over a separate connection and waits until the receiver has closed it. The
    /// receiver closes it only if it refuses a packet.
    static void attack(int port, byte[]... packets) throws IOException {
        send(
                port,
                out -> {
                    for (byte[] packet : packets) {
                        out.writeInt(packet.length);
                        out.write(packet);
                    }
                });
    }

    static void send(int port, Content content) throws IOException {
        send(port, InetAddress.getLoopbackAddress(), content);
    }

    static SSLSocket connected(int port) throws IOException {
        Identity identity = Identity.of(Cluster.TOKEN);
        var socket = (SSLSocket) identity.context().getSocketFactory().createSocket();
        socket.setUseClientMode(true);
        Identity.demand(socket, Identity.GROUP);
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.startHandshake();
        return socket;
    }

    /// @param from address at which the peer claims to listen
    static void send(int port, InetAddress from, Content content) throws IOException {
        try (SSLSocket socket = connected(port)) {
            var hello = new ByteArrayDataOutputStream(64);
            var claimed = new IpAddress(from, socket.getLocalPort());
            hello.write(COOKIE);
            hello.writeShort(Version.version);
            hello.writeShort(claimed.serializedSize());
            claimed.writeTo(hello);
            content.writeTo(hello);
            socket.getOutputStream().write(hello.buffer(), 0, hello.position());
            socket.getOutputStream().flush();
            try {
                byte[] _ = socket.getInputStream().readAllBytes();
            } catch (java.net.SocketException closed) {
                // JGroups closes the connection by a reset
            }
        }
    }

    static short protocol(Class<?> type) {
        return ClassConfigurator.getProtocolId(type);
    }
}
