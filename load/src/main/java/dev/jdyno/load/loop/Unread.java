package dev.jdyno.load.loop;

import dev.jdyno.load.wire.WireOwner;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Connections of one loop that stopped reading after {@link #MAX_READS} reads although more bytes
/// have arrived. They continue in the next turn. Otherwise a server that sends faster than this
/// client reads would occupy the loop: no timeout, command or other connection would be handled.
public final class Unread {
    /// Maximum number of reads in a row on one connection, each of a whole buffer.
    static final int MAX_READS = 32;

    private final Set<WireOwner> owners = new LinkedHashSet<>();

    void add(WireOwner owner) {
        owners.add(owner);
    }

    /// Removes a connection that was closed. Its unread bytes are lost, and the owner's next
    /// connection must not count as ready.
    void remove(WireOwner owner) {
        if (!owners.isEmpty()) {
            owners.remove(owner);
        }
    }

    boolean isEmpty() {
        return owners.isEmpty();
    }

    void readOn() {
        if (owners.isEmpty()) {
            return;
        }
        for (WireOwner owner : List.copyOf(owners)) {
            // an owner handled earlier may have closed this connection
            if (owners.remove(owner)) {
                owner.onReady();
            }
        }
    }
}
