package dev.jdyno.load.loop;

import dev.jdyno.load.wire.WireOwner;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Connections of one loop that have read their share of a turn although more has come; they read
/// on in the next turn. A server that sends faster than this client reads would else keep the loop
/// to itself: no timeout would be looked for, no order heard, no other connection served.
public final class Unread {
    /// Reads in a row of one connection, each of a whole buffer.
    static final int MOST_READS = 32;

    private final Set<WireOwner> owners = new LinkedHashSet<>();

    void add(WireOwner owner) {
        owners.add(owner);
    }

    /// The connection is closed: what it had not read is gone, and the next one it makes must not
    /// be taken for ready.
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
            // an owner before it may have closed this one
            if (owners.remove(owner)) {
                owner.onReady();
            }
        }
    }
}
