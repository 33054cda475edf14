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

/// How tests send the packets of an authenticated peer that does not keep to JGroups' protocol.
final class Attacks {
    /// Only ends a hang.
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

    /// Sends them over a connection of its own and waits until the receiver has closed it, which it
    /// does only for what it refuses.
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

    /// @param from where it says that it listens
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
                // reset, as JGroups closes it
            }
        }
    }

    static short protocol(Class<?> type) {
        return ClassConfigurator.getProtocolId(type);
    }
}
