package dev.jdyno.target;

import dev.jdyno.measure.thread.PoolQueue;
import java.util.Optional;

/// Who waits for a pool, with the library that the pool is of.
///
/// @param library by the name that thread samples give it; empty for a pool of threads, which its
///   own name tells from others
public record LibraryQueue(PoolQueue queue, Optional<String> library) {
    /// Before a pool of threads.
    public static LibraryQueue ofThreads(PoolQueue queue) {
        return new LibraryQueue(queue, Optional.empty());
    }
}
