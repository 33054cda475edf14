package dev.jdyno.cluster;

import dev.jdyno.measure.text.UserError;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.blocks.MessageDispatcher;
import org.jgroups.blocks.RequestOptions;
import org.jgroups.blocks.Response;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.Protocol;

/// The parts of JGroups that a group uses: its views, its messages, and its questions with their
/// answers.
final class Channel implements AutoCloseable {
    private final JChannel channel;
    private final Questions questions;

    /// @param received gets each message on a thread of JGroups; the response is empty if the
    ///   sender wants no answer
    /// @param members gets the joined members each time one joins or leaves
    Channel(
            JChannel channel,
            BiConsumer<Message, Optional<Response>> received,
            Consumer<List<Address>> members) {
        this.channel = channel;
        var dispatcher = new MessageDispatcher(channel);
        dispatcher.setReceiver(
                new Receiver() {
                    @Override
                    public void viewAccepted(View view) {
                        members.accept(view.getMembers());
                    }
                });
        this.questions = new Questions((Protocol) dispatcher.getProtocolAdapter(), received);
        dispatcher.correlator(questions);
    }

    /// Joins the group of that name, or founds the group.
    ///
    /// @return the address of its first member
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

    Questions questions() {
        return questions;
    }

    /// @return true if the message was sent; false after the end, and if the member is out of reach
    boolean send(Address to, byte[] bytes, Message.Flag... flags) {
        try {
            questions.sendUnicastRequest(
                    new BytesMessage(to, bytes), null, RequestOptions.ASYNC().flags(flags));
            return true;
        } catch (Exception ended) {
            return false;
        }
    }

    /// Drops all connections. The next message opens new ones.
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
