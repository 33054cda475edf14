package dev.jdyno.cluster;

import dev.jdyno.cluster.packet.BoundedFragHeader;
import dev.jdyno.cluster.packet.BoundedPing;
import dev.jdyno.cluster.packet.BoundedTcp;
import dev.jdyno.cluster.packet.OnlyBytes;
import dev.jdyno.cluster.packet.Origins;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jgroups.JChannel;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.IpAddress;

/// The JGroups protocols of a group: TCP between the members over {@link GroupSockets}, so that
/// every connection is authenticated. Only objects of the types in {@link OnlyBytes} are created
/// from the bytes of a peer.
///
/// The group is a star. JGroups' failure detection and merging of views are not used, because they
/// connect each member with each other. The founder's own beats detect a loss much earlier; the
/// view only shows which members have joined and left.
final class Stack {
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(8);

    /// Number of searches for the founder within that time: many may join it at once.
    private static final int DISCOVERY_RUNS = 4;

    /// Search time of a founder, which has no group to look for.
    private static final Duration FOUNDING_LIMIT = Duration.ofMillis(10);

    private static final Duration LEAVE_LIMIT = Duration.ofMillis(500);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);

    static {
        OnlyBytes.enforce();
    }

    private Stack() {}

    /// @param address where the others reach our listener
    /// @param founder the only peer that a member connects to
    /// @param origins records which connections and addresses belong to which peer
    static JChannel channel(
            Listener listener,
            InetAddress address,
            Optional<Founder> founder,
            Origins origins,
            String name) {
        founder.ifPresent(f -> introduce(f, origins));
        var tcp = new BoundedTcp(founder.map(Founder::at), origins);
        tcp.setBindAddress(address);
        tcp.setBindPort(listener.port());
        tcp.setPortRange(0);
        tcp.setClientBindAddr(address); // the address that it reports to peers
        tcp.useVirtualThreads(false); // a beat must not queue behind other work of the process
        Identity trusting =
                founder.map(f -> listener.identity().trusting(Set.of(f.key())))
                        .orElse(listener.identity());
        tcp.setSocketFactory(new GroupSockets(listener.port(), trusting.at(origins::isOf)));
        tcp.setPeerAddrReadTimeout(0); // the handshake's deadline still applies
        listener.group(Optional.of(proved -> tcp.introduced(proved, Identity.peer(proved))));
        tcp.setSockConnTimeout((int) CONNECT_LIMIT.toMillis());
        tcp.logDetails(false); // invalid input of a peer must not fill our log
        var discovery = new BoundedPing();
        discovery.setInitialHosts(founder.stream().map(Founder::at).toList());
        discovery.setPortRange(0);
        discovery.numDiscoveryRuns(DISCOVERY_RUNS);
        GMS views = new GMS();
        views.setJoinTimeout((founder.isEmpty() ? FOUNDING_LIMIT : JOIN_LIMIT).toMillis());
        views.setLeaveTimeout(LEAVE_LIMIT.toMillis());
        views.setMaxJoinAttempts(3);
        views.printLocalAddress(false);
        FRAG4 parts = new FRAG4();
        parts.setFragSize(BoundedFragHeader.FRAGMENT);
        try {
            JChannel channel =
                    new JChannel(
                            tcp,
                            discovery,
                            new NAKACK2(),
                            new UNICAST3(),
                            new STABLE(),
                            views,
                            parts);
            tcp.getDiagnosticsHandler().setEnabled(false); // it would listen without the token
            channel.setName(name);
            channel.setDiscardOwnMessages(true);
            return channel;
        } catch (Exception e) {
            throw UserError.target("cannot make a group of processes", e.toString(), "see --debug")
                    .causedBy(e);
        }
    }

    private static void introduce(Founder founder, Origins origins) {
        try {
            origins.introduce(new IpAddress(founder.at()), founder.key());
        } catch (IOException another) {
            throw new IllegalStateException("the first peer of a group", another);
        }
    }
}
