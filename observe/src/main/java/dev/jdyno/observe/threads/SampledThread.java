package dev.jdyno.observe.threads;

import dev.jdyno.observe.stacks.Classified;
import java.util.Optional;

/// One thread in one dump, with its peer.
///
/// @param peer host:port from which it reads; empty when it does not read or the peer is unknown
/// @param serverSide whether it reads from a client of the target: it waits for a request
/// @param weight number of threads that it represents: more than one if only some were read
public record SampledThread(
        Classified thread, Optional<String> peer, boolean serverSide, double weight) {
    public SampledThread(Classified thread, Optional<String> peer, boolean serverSide) {
        this(thread, peer, serverSide, 1);
    }
}
