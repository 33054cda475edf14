package dev.jdyno.cluster;

import dev.jdyno.measure.text.UserError;
import java.util.List;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.TCP;

/// What a group uses of JGroups.
final class Channel implements AutoCloseable {
    private final JChannel channel;

    /// @param received gets each message, on a thread of JGroups
    /// @param members gets those that have joined, each time one comes or goes
    Channel(JChannel channel, Consumer<Message> received, Consumer<List<Address>> members) {
        this.channel = channel;
        channel.setReceiver(
                new Receiver() {
                    @Override
                    public void receive(Message message) {
                        received.accept(message);
                    }

                    @Override
                    public void viewAccepted(View view) {
                        members.accept(view.getMembers());
                    }
                });
    }

    /// Joins the group of that name, or is the first of it.
    ///
    /// @return the first of its members
    Address connect(String group) {
        try {
            channel.connect(group);
            return channel.getView().getCoord();
        } catch (Exception e) {
            throw UserError.target("cannot join a group of processes", e.toString(), "see --debug")
                    .causedBy(e);
        }
    }

    void disconnect() {
        channel.disconnect();
    }

    boolean isConnected() {
        return channel.isConnected();
    }

    /// Our own address, for invitations.
    String here() {
        return text(channel.getAddress());
    }

    static String text(Address address) {
        return address instanceof org.jgroups.util.UUID id ? id.toStringLong() : "";
    }

    boolean hasJoined(Address member) {
        View view = channel.getView();
        return view != null && view.containsMember(member);
    }

    /// @return whether it is under way; not after the end, and not to one that is out of reach
    boolean send(Address to, byte[] bytes, Message.Flag... flags) {
        try {
            channel.send(new BytesMessage(to, bytes).setFlag(flags));
            return true;
        } catch (Exception ended) {
            return false;
        }
    }

    /// Drops all connections; what is sent next makes new ones.
    void reconnect() {
        if (channel.getProtocolStack().getTransport() instanceof TCP tcp) {
            tcp.clearConnections(false);
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}
