package dev.jdyno.measure.thread;

import java.util.Optional;

/// The queue of one pool: requests and tasks that wait for a thread, or threads that wait for a
/// pooled resource.
///
/// @param pool name of the pool; for a thread pool, the name in the thread samples
/// @param size mean number of its members
/// @param busy mean number of members in use
/// @param length mean number of waiters; empty if it cannot be observed
/// @param atLeast whether more may wait than were counted
/// @param from the source of the count, or why there is none
public record PoolQueue(
        String pool,
        Kind kind,
        Optional<Double> size,
        Optional<Double> busy,
        Optional<Double> length,
        boolean atLeast,
        String from) {
    /// The kind of members of the pool.
    public enum Kind {
        THREADS("threads"),
        /// Connections or permits that a thread borrows.
        LENT("lent");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        /// The key in JSON.
        public String key() {
            return key;
        }
    }
}
