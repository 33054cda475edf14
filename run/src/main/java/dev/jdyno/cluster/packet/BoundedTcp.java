package dev.jdyno.cluster.packet;

import dev.jdyno.cluster.key.PeerKey;
import java.io.DataInput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.blocks.cs.TcpConnection;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/// JGroups' TCP that reads a whole packet, within a limit, before it parses any of it. So no length
/// in a packet can be larger than the packet.
public final class BoundedTcp extends TCP {
    /// Longest packet in bytes; longer messages come in parts.
    static final int MAX_PACKET = 1 << 20;

    /// Bytes of version and flags.
    private static final int HEAD_BYTES = 3;

    /// Minimum bytes of a message: its type, which addresses it has, flags, and the number of
    /// headers.
    private static final int MIN_MESSAGE = 2 + 1 + 2 + 2;

    private final Optional<Address> only;
    private final Origins origins;

    /// The headers have the protocol number of the superclass, like those of all members.
    ///
    /// @param only the peer that it connects to; empty for any, as in a founder
    /// @param origins records to which peer's connection a packet belongs
    public BoundedTcp(Optional<InetSocketAddress> only, Origins origins) {
        this.origins = origins;
        this.only = only.map(o -> new IpAddress(o.getAddress(), o.getPort()));
        setId(ClassConfigurator.getProtocolId(TCP.class));
    }

    /// Waits until a connected peer has introduced itself by JGroups' protocol, which names the
    /// address at which it listens.
    ///
    /// @param by the key that the peer has proved to have
    /// @return admits the peer
    /// @throws IOException if it listens on another host, or if that address belongs to another
    ///   peer
    public Runnable introduced(SSLSocket proved, PeerKey by) throws IOException {
        TcpServer server = srv;
        if (server == null || !server.running()) {
            throw new IOException("no group is joined");
        }
        TcpConnection connection = connection(proved, server);
        if (!(connection.peerAddress() instanceof IpAddress at)
                || !proved.getInetAddress().equals(at.getIpAddress())) {
            throw new IOException("a peer that listens on another host than it comes from");
        }
        origins.introduce(at, by);
        return () -> admit(connection, server);
    }

    private static TcpConnection connection(SSLSocket proved, TcpServer server) throws IOException {
        try {
            return new TcpConnection(proved, server);
        } catch (IOException | RuntimeException broken) {
            throw broken;
        } catch (Exception broken) { // JGroups declares it
            throw new IOException(broken);
        }
    }

    private static void admit(TcpConnection connection, TcpServer server) {
        try {
            server.handleIncomingConnection(connection.peerAddress(), connection);
        } catch (Exception broken) { // JGroups declares it
            Util.close(connection);
        }
        if (!server.running()) { // it may have closed its connections before this one came
            server.closeConnection(connection);
        }
    }

    /// Refuses unknown addresses. Peers name addresses of others, and JGroups would connect to any
    /// of them. A founder answers only peers that have connected to it.
    @Override
    public void send(Address to, byte[] bytes, int offset, int length) throws Exception {
        if (only.isEmpty() ? origins.isPeer(to) : only.get().equals(to)) {
            super.send(to, bytes, offset, length);
        }
    }

    /// Sends only to members whose address is known from their own connections. JGroups would ask
    /// the other members for an unknown address.
    @Override
    protected void sendTo(Address to, byte[] bytes, int offset, int length) throws Exception {
        if (to instanceof PhysicalAddress || getPhysicalAddressFromCache(to) != null) {
            super.sendTo(to, bytes, offset, length);
        }
    }

    /// Ignores addresses of members that peers report. JGroups would send the members' messages
    /// there.
    @Override
    protected boolean addPhysicalAddressToCache(
            Address member, PhysicalAddress place, boolean overwrite) {
        return (member.equals(local_addr) || origins.isAt(member, place))
                && super.addPhysicalAddressToCache(member, place, overwrite);
    }

    /// @throws IOException if it is not a valid packet; the connection is closed then
    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (length < HEAD_BYTES || length > MAX_PACKET) {
            throw new IOException("a packet of " + length + " bytes");
        }
        byte[] packet = new byte[length];
        in.readFully(packet);
        Address source = source(packet);
        if (source.equals(local_addr)) {
            throw new IOException("a message with this process's own address");
        }
        origins.claim(source, sender);
        receive(sender, packet, 0, length);
    }

    /// The sender that the messages of a packet name. It is parsed before JGroups parses the
    /// messages. In a list, JGroups takes the sender of some messages from the list, and of others
    /// from the message itself.
    private static Address source(byte[] packet) throws IOException {
        var in = new ByteArrayDataInputStream(packet, HEAD_BYTES, packet.length - HEAD_BYTES);
        try {
            if ((packet[HEAD_BYTES - 1] & LIST) != LIST) {
                return known(Util.readMessage(in).getSrc());
            }
            Address all = known(requireMessages(packet));
            for (MessageBatch batch : Util.readMessageBatch(in, false)) {
                for (Message message : batch == null ? List.<Message>of() : batch) {
                    if (!all.equals(message.getSrc())) {
                        throw new IOException("a list with messages of several members");
                    }
                }
            }
            return all;
        } catch (ClassNotFoundException | RuntimeException broken) {
            throw new IOException("a packet that cannot be read", broken);
        }
    }

    private static Address known(@Nullable Address source) throws IOException {
        if (source == null) {
            throw new IOException("a message that names no sender");
        }
        return source;
    }

    /// Checks a list of messages. It begins with two addresses, the group's name, and the number of
    /// messages, for which JGroups allocates room at once.
    ///
    /// @return the second address: their sender
    private static @Nullable Address requireMessages(byte[] packet)
            throws IOException, ClassNotFoundException {
        var in = new ByteArrayDataInputStream(packet, HEAD_BYTES, packet.length - HEAD_BYTES);
        Address _ = Util.readAddress(in);
        Address source = Util.readAddress(in);
        int name = in.readShort();
        long _ = in.skip(Math.max(0, name));
        int count = in.readInt();
        if (count < 0 || count > in.available() / MIN_MESSAGE) {
            throw new IOException(
                    "a packet of " + packet.length + " bytes with " + count + " messages");
        }
        return source;
    }
}
