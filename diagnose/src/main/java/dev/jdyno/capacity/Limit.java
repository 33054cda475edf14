package dev.jdyno.capacity;

import dev.jdyno.measure.thread.Cause;

/// What kind of thing holds throughput at its plateau, as far as a prediction must know: how the
/// limit moves when something else changes. The named verdict is the diagnosis' matter.
sealed interface Limit {
    /// The cores available to the target are saturated.
    record Cpu() implements Limit {}

    /// One at a time: neither CPU nor waits elsewhere move it.
    ///
    /// @param cause a lock, a log, a disk
    record Lock(String name, Cause cause) implements Limit {}

    /// A service behind ours that takes only so many at once: it moves with its own time.
    record Remote(String name) implements Limit {}

    /// A pool, a semaphore or an inner executor of so many places, each taken for as long as `held`
    /// lasts: it moves with that.
    ///
    /// @param held what a request does meanwhile, as far as its longest wait tells
    record Pool(String name, Cause held) implements Limit {}

    /// So many requests inside at once: it moves with the time a request spends inside.
    record Places(String name) implements Limit {}

    /// CPU is left over and nothing says what else is short.
    record Unknown() implements Limit {}
}
