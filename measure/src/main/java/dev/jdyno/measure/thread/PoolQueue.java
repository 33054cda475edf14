package dev.jdyno.measure.thread;

import java.util.Optional;

/// How many wait for a member of one pool: requests and tasks for a thread, threads for what it
/// lends.
///
/// @param pool its name: of a pool of the thread samples where it is one of threads
/// @param size its members, mean
/// @param busy those in use, mean
/// @param length how many wait, mean; empty when nobody can tell from outside
/// @param atLeast whether more may wait than were counted
/// @param from who counted, or why nobody did
public record PoolQueue(
        String pool,
        Kind kind,
        Optional<Double> size,
        Optional<Double> busy,
        Optional<Double> length,
        boolean atLeast,
        String from) {
    /// What the pool has.
    public enum Kind {
        THREADS("threads"),
        /// Connections or permits, which a thread borrows.
        LENT("lent");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        /// As in JSON.
        public String key() {
            return key;
        }
    }
}
