package dev.jdyno.target;

import dev.jdyno.measure.thread.PoolQueue;
import java.util.Optional;

/// The queue of a pool, with the library of the pool.
///
/// @param library name in thread samples; empty for a thread pool, which its own name identifies
public record LibraryQueue(PoolQueue queue, Optional<String> library) {
    /// The queue of a thread pool.
    public static LibraryQueue ofThreads(PoolQueue queue) {
        return new LibraryQueue(queue, Optional.empty());
    }
}
