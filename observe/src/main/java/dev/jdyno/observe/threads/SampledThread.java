package dev.jdyno.observe.threads;

import dev.jdyno.observe.stacks.Classified;
import java.util.Optional;

/// One thread in one dump, with its peer.
///
/// @param peer host:port it reads from; empty when it does not or when that could not be seen
/// @param serverSide whether it reads from a client of the target: it waits for a request
/// @param weight how many threads it stands for: more than one where only some were read
public record SampledThread(
        Classified thread, Optional<String> peer, boolean serverSide, double weight) {
    public SampledThread(Classified thread, Optional<String> peer, boolean serverSide) {
        this(thread, peer, serverSide, 1);
    }
}
