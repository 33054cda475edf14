package dev.jdyno.cluster;

import dev.jdyno.measure.text.UserError;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jgroups.JChannel;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;

/// The JGroups protocols of a group: TCP between the members over {@link GroupSockets}, so that all
/// of it stands behind the token. Nothing is sent as a Java object: payloads are bytes, and
/// JGroups' own headers are of types it knows by number.
///
/// A star: there is no failure detection among the members and no merging of views, since JGroups
/// does both from each member to each other one. The founder's own beats notice a loss much
/// earlier; the view says only who has joined and who has left.
final class Stack {
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(8);

    /// How often the founder is looked for within that: many may join it at once.
    private static final int DISCOVERY_RUNS = 4;

    /// A founder has no group to look for.
    private static final Duration FOUNDING_LIMIT = Duration.ofMillis(10);

    private static final Duration LEAVE_LIMIT = Duration.ofMillis(500);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);

    /// Bytes of one packet that are read at most; longer messages come in parts of {@link
    /// #FRAGMENT}.
    private static final int MOST_PACKET = 1 << 20;

    private static final int FRAGMENT = 60_000;

    private Stack() {}

    /// @param address where the others reach our listener
    /// @param founders where those listen that are in the group already
    static JChannel channel(
            Listener listener, InetAddress address, List<InetSocketAddress> founders, String name) {
        TCP tcp = new TCP();
        tcp.setBindAddress(address);
        tcp.setBindPort(listener.port());
        tcp.setPortRange(0);
        tcp.useVirtualThreads(false); // a beat must not queue behind other work of the process
        tcp.setSocketFactory(new GroupSockets(listener));
        BasicTCP limits = tcp;
        limits.setMaxLength(MOST_PACKET);
        limits.setPeerAddrReadTimeout((int) JOIN_LIMIT.toMillis());
        limits.setSockConnTimeout((int) CONNECT_LIMIT.toMillis());
        TCPPING discovery = new TCPPING();
        discovery.setInitialHosts(founders);
        discovery.setPortRange(0);
        discovery.numDiscoveryRuns(DISCOVERY_RUNS);
        GMS views = new GMS();
        views.setJoinTimeout((founders.isEmpty() ? FOUNDING_LIMIT : JOIN_LIMIT).toMillis());
        views.setLeaveTimeout(LEAVE_LIMIT.toMillis());
        views.setMaxJoinAttempts(3);
        views.printLocalAddress(false);
        FRAG4 parts = new FRAG4();
        parts.setFragSize(FRAGMENT);
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
}
