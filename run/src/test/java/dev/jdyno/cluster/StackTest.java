package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.packet.Origins;
import dev.jdyno.measure.Eventually;
import java.net.InetAddress;
import java.util.Optional;
import org.jgroups.JChannel;
import org.jgroups.protocols.pbcast.STABLE;
import org.junit.jupiter.api.Test;

class StackTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private static JChannel channel(Listener listener, Optional<Founder> founder, String name)
            throws Exception {
        return Stack.channel(listener, HERE, founder, new Origins(true), name);
    }

    private static STABLE stable(JChannel channel) {
        return channel.getProtocolStack().findProtocol(STABLE.class);
    }

    /// A packet that cannot be read ends its connection. If a regular packet of JGroups could not
    /// be read, the connection would be opened again and again.
    @Test
    void keepAliveTrafficKeepsConnection() throws Exception {
        try (Listener one = Cluster.listener();
                Listener two = Cluster.listener();
                JChannel founder = channel(one, Optional.empty(), "founder");
                JChannel member = channel(two, Optional.of(Cluster.founderAt(one)), "member")) {
            STABLE _ = stable(founder).setDesiredAverageGossip(10);
            STABLE received = stable(member).setDesiredAverageGossip(10);
            founder.connect("group");
            member.connect("group");

            // the founder sends this message when it has read the digests of all members
            Eventually.until("what is stable", () -> received.getStabilityReceived() > 0);

            assertThat(received.getStabilityReceived()).isPositive();
            assertThat(founder.getView().getMembers()).hasSize(2);
        }
    }
}
