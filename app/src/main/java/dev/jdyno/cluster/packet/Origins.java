package dev.jdyno.cluster.packet;

import dev.jdyno.cluster.key.PeerKey;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;

/// Whose addresses are whose in one group: the first that uses an address has it for good. JGroups
/// believes what a peer says of itself; a peer that has joined could otherwise speak for another
/// one, or for the founder.
public final class Origins {
    /// Two for each member of the largest group; a peer could name any number.
    private static final int MOST = 10_000;

    private final Map<Address, PeerKey> keys = new ConcurrentHashMap<>();

    /// @throws IOException when another one has this address
    public void claim(Address address, PeerKey by) throws IOException {
        if (keys.size() < MOST) {
            PeerKey _ = keys.putIfAbsent(address, by);
        }
        if (!by.equals(keys.get(address))) {
            throw new IOException("a peer with the address of another one");
        }
    }

    /// Who has it.
    public Optional<PeerKey> of(Address address) {
        return Optional.ofNullable(keys.get(address));
    }
}
