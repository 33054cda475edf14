package dev.jdyno.cluster.packet;

import dev.jdyno.cluster.key.PeerKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.UUID;

/// Records which addresses belong to which peer of one group. A peer is a process that listens at
/// one address. That address belongs to the first key that uses it, and a member's address belongs
/// to the first peer that uses it. JGroups does not check addresses, so without this a member could
/// send messages as another member.
///
/// Each address takes memory for as long as the group exists (JGroups keeps a table for it), so
/// their number is limited. The limits are separate for each key or, if all share one key, for each
/// host. So one peer cannot use up the addresses of the others.
public final class Origins {
    /// Maximum number of member addresses of one peer. A peer has a new address for each attempt to
    /// join, and makes two attempts.
    static final int MAX_NAMES = 4;

    /// Maximum number of listening addresses for one key. A process has one address, and a new one
    /// after a restart.
    static final int MAX_PER_KEY = 4;

    /// Maximum number of processes on one host if all share one key.
    static final int MAX_PER_HOST = 64;

    /// Maximum number of peers in all.
    static final int MAX = 1000;

    private final boolean oneKey;
    private final Map<IpAddress, PeerKey> peers = new ConcurrentHashMap<>();
    private final Map<Address, IpAddress> names = new ConcurrentHashMap<>();

    /// @param oneKey whether all peers have the same key (a token), so that the key cannot
    ///   distinguish them
    public Origins(boolean oneKey) {
        this.oneKey = oneKey;
    }

    /// Records that a peer listens at an address of the host from which its connection comes.
    ///
    /// @throws IOException if another peer listens there, or if the peer has more addresses than it
    ///   needs
    public synchronized void introduce(IpAddress at, PeerKey by) throws IOException {
        PeerKey before = peers.get(at);
        if (before != null) {
            if (!before.equals(by)) {
                throw new IOException("a peer with the address of another one");
            }
            return;
        }
        InetAddress host = at.getIpAddress();
        long same =
                peers.entrySet().stream()
                        .filter(p ->
                                oneKey
                                        ? p.getKey().getIpAddress().equals(host)
                                        : p.getValue().equals(by))
                        .count();
        if (same >= (oneKey ? MAX_PER_HOST : MAX_PER_KEY) || peers.size() >= MAX) {
            throw new IOException("a peer with more addresses than it needs");
        }
        peers.put(at, by);
    }

    /// Checks a message that names this member as its sender.
    ///
    /// @param connection address at which the peer listens that sent it
    /// @throws IOException if the member is another peer, or too many names are in use
    void claim(Address source, Address connection) throws IOException {
        IpAddress owner = names.get(source);
        if (owner == null) {
            owner = add(source, connection);
        }
        if (!owner.equals(connection)) {
            throw new IOException("a message with the address of another peer");
        }
    }

    private synchronized IpAddress add(Address source, Address connection) throws IOException {
        if (!(source instanceof UUID)
                || !(connection instanceof IpAddress at)
                || !peers.containsKey(at)) {
            throw new IOException("no message of a peer that was introduced");
        }
        if (names.values().stream().filter(at::equals).count() >= MAX_NAMES) {
            throw new IOException("a peer with more addresses than it needs");
        }
        IpAddress before = names.putIfAbsent(source, at);
        return before == null ? at : before;
    }

    /// The key of the peer that has this member address.
    public Optional<PeerKey> of(Address member) {
        return Optional.ofNullable(names.get(member)).map(peers::get);
    }

    /// True if a peer listens at that address.
    boolean isPeer(Address at) {
        return at instanceof IpAddress place && peers.containsKey(place);
    }

    /// True if the peer that listens at that address has this key.
    public boolean isOf(SocketAddress place, PeerKey by) {
        return place instanceof InetSocketAddress at && by.equals(peers.get(new IpAddress(at)));
    }

    /// True if the member is the peer that listens at that address.
    boolean isAt(Address member, Address place) {
        IpAddress its = names.get(member);
        return its != null && its.equals(place);
    }
}
