package dev.jdyno.cluster;

import java.util.ArrayDeque;
import java.util.Collections;

/// By how much beats come later than the quickest of the last half minute. The sender's clock and
/// ours need not agree; what is measured is the difference between ways, not their length.
final class Lateness {
    /// Half a minute of beats.
    private static final int MOST = 120;

    private final ArrayDeque<Long> ways = new ArrayDeque<>();

    /// One beat.
    ///
    /// @param sent on the sender's clock
    /// @param reached on ours
    /// @return nanoseconds, 0 for the quickest
    synchronized long of(long sent, long reached) {
        if (ways.size() == MOST) {
            ways.removeFirst();
        }
        long way = reached - sent;
        ways.addLast(way);
        return way - Collections.min(ways);
    }
}
