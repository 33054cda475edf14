package dev.jdyno.trial.watch;

import dev.jdyno.capacity.headroom.NaturalLoad;

/// The times at which a watch reads the counters in a minute. They are a fixed distance apart, and
/// a late reading does not move those after it: a minute has as many windows of natural load as
/// fit.
///
/// @param firstNanos time of the reading that begins the first slice
/// @param endNanos end of the minute, which may cut the last slice short
record Slices(long firstNanos, long endNanos) {
    /// Length of a slice: two of them are a window of natural load. More readings would tell a
    /// minute no more, and they are most of what a watch costs.
    static final long NANOS = Math.round(NaturalLoad.WINDOW_S / 2 * 1e9);

    /// The end of the present slice. Slices that ended during a long wait are skipped.
    ///
    /// @param now at least the time of the first reading
    long end(long now) {
        long next = firstNanos + ((now - firstNanos) / NANOS + 1) * NANOS;
        return Math.min(next, endNanos);
    }
}
