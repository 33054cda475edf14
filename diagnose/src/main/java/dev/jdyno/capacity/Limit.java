package dev.jdyno.capacity;

import dev.jdyno.measure.thread.Cause;

/// The kind of resource that limits throughput. A prediction needs it to know how the limit changes
/// with another figure. The named verdict comes from the diagnosis.
sealed interface Limit {
    /// The cores available to the target are saturated.
    record Cpu() implements Limit {}

    /// One request at a time. Changes of CPU use or of waits elsewhere do not change this limit.
    ///
    /// @param cause lock, log or disk
    record Lock(String name, Cause cause) implements Limit {}

    /// A service behind the target that serves a fixed number of requests at once. The limit
    /// changes with that service's response time.
    record Remote(String name) implements Limit {}

    /// A pool, a semaphore or an inner executor with a fixed number of places, each taken for the
    /// duration of `held`. The limit moves with that duration.
    ///
    /// @param held cause of the longest wait of a request that holds a place
    record Pool(String name, Cause held) implements Limit {}

    /// A fixed number of requests inside the service at once. The limit changes with the time that
    /// a request spends inside.
    record Places(String name) implements Limit {}

    /// CPU is free, and the limiting resource is unknown.
    record Unknown() implements Limit {}
}
