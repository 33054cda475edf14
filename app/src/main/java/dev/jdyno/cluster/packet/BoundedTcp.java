package dev.jdyno.cluster.packet;

import dev.jdyno.cluster.key.PeerKey;
import java.io.DataInput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;

/// JGroups' TCP that reads a packet as a whole, within a limit, before anything of it is parsed: no
/// length in it can then ask for more than the packet has.
public final class BoundedTcp extends TCP {
    /// Longest packet in bytes; longer messages come in parts.
    static final int MOST_PACKET = 1 << 20;

    /// Version and flags.
    private static final int HEAD_BYTES = 3;

    /// Type, which addresses it has, flags, and the number of headers.
    private static final int LEAST_MESSAGE = 2 + 1 + 2 + 2;

    private final Optional<Address> only;
    private final Origins origins;

    /// Its headers bear the number of the class that it extends, as those of all members do.
    ///
    /// @param only whom it connects to; empty for any, as a founder does
    /// @param origins knows whose connection a packet comes from
    public BoundedTcp(Optional<InetSocketAddress> only, Origins origins) {
        this.origins = origins;
        this.only = only.map(o -> new IpAddress(o.getAddress(), o.getPort()));
        setId(ClassConfigurator.getProtocolId(TCP.class));
    }

    /// Peers name addresses of others, and JGroups would connect to any of them.
    @Override
    public void send(Address to, byte[] bytes, int offset, int length) throws Exception {
        if (only.isEmpty() || only.get().equals(to)) {
            super.send(to, bytes, offset, length);
        }
    }

    /// @throws IOException when it is none; the connection is closed then
    @Override
    public void receive(Address sender, DataInput in, int length) throws Exception {
        if (length < HEAD_BYTES || length > MOST_PACKET) {
            throw new IOException("a packet of " + length + " bytes");
        }
        byte[] packet = new byte[length];
        in.readFully(packet);
        PeerKey by =
                origins.of(sender)
                        .orElseThrow(
                                () -> new IOException("no connection of this peer: " + sender));
        for (Message message : messages(packet)) {
            if (message.getSrc() != null) {
                origins.claim(message.getSrc(), by);
            }
        }
        receive(sender, packet, 0, length);
    }

    /// What JGroups will read in it, read here before: a message says of itself who sent it.
    private static List<Message> messages(byte[] packet) throws IOException {
        var in = new ByteArrayDataInputStream(packet, HEAD_BYTES, packet.length - HEAD_BYTES);
        try {
            if ((packet[HEAD_BYTES - 1] & LIST) != LIST) {
                return List.of(Util.readMessage(in));
            }
            requireMessages(packet);
            List<Message> all = new ArrayList<>();
            for (MessageBatch batch : Util.readMessageBatch(in, false)) {
                if (batch != null) {
                    batch.forEach(all::add);
                }
            }
            return all;
        } catch (ClassNotFoundException | RuntimeException broken) {
            throw new IOException("a packet that cannot be read", broken);
        }
    }

    /// A list begins with two addresses, the group's name, and how many messages there are, for
    /// which JGroups makes room at once.
    private static void requireMessages(byte[] packet) throws IOException, ClassNotFoundException {
        var in = new ByteArrayDataInputStream(packet, HEAD_BYTES, packet.length - HEAD_BYTES);
        Address _ = Util.readAddress(in);
        Address _ = Util.readAddress(in);
        int name = in.readShort();
        long _ = in.skip(Math.max(0, name));
        int count = in.readInt();
        if (count < 0 || count > in.available() / LEAST_MESSAGE) {
            throw new IOException(
                    "a packet of " + packet.length + " bytes with " + count + " messages");
        }
    }
}
