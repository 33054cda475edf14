package dev.jdyno.cluster;

import java.util.ArrayDeque;
import java.util.Collections;

/// Delay of a beat compared with that of the fastest beat of the last half minute. The clocks of
/// sender and receiver need not agree, because only differences between delays are measured.
final class Lateness {
    /// Maximum number of beats kept: half a minute of them.
    private static final int MAX = 120;

    private final ArrayDeque<Long> ways = new ArrayDeque<>();

    /// One beat.
    ///
    /// @param sent time of the sender's clock when the message was sent
    /// @param reached time of our clock when the message arrived
    /// @return nanoseconds, 0 for the quickest
    synchronized long of(long sent, long reached) {
        if (ways.size() == MAX) {
            ways.removeFirst();
        }
        long way = reached - sent;
        ways.addLast(way);
        return way - Collections.min(ways);
    }
}
