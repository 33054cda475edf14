package dev.jdyno.cluster;

import java.util.ArrayDeque;
import java.util.Optional;

/// How far another process's monotonic clock is from ours, by exchanges of messages as NTP does it
/// (RFC 5905, 8): of the recent exchanges the one with the least round trip counts, and its error
/// is at most half of that round trip, plus what the clocks may have drifted apart since.
///
/// Wall clocks play no part, so that one that jumps changes nothing.
public final class ClockOffset {
    /// Half a minute of exchanges.
    private static final int MOST = 120;

    /// Quartz clocks differ by less than 100 parts in a million from each other.
    private static final double DRIFT = 1e-4;

    private record Sample(long atNanos, long offsetNanos, long roundTripNanos) {}

    private final ArrayDeque<Sample> recent = new ArrayDeque<>();

    /// One exchange.
    ///
    /// @param sent on our clock, when the question left
    /// @param reached on theirs, when it was read
    /// @param answered on theirs, when the answer left
    /// @param back on ours, when that was read
    synchronized void add(long sent, long reached, long answered, long back) {
        long roundTrip = Math.max(0, back - sent - (answered - reached));
        long offset = (reached - sent + answered - back) / 2;
        if (recent.size() == MOST) {
            recent.removeFirst();
        }
        recent.addLast(new Sample(back, offset, roundTrip));
    }

    /// @param offsetNanos their clock minus ours
    /// @param errorNanos by how much that may be wrong at most
    /// @param roundTripNanos of the exchange it comes from
    public record Estimate(long offsetNanos, long errorNanos, long roundTripNanos) {}

    /// Empty before the first exchange.
    synchronized Optional<Estimate> at(long nowNanos) {
        Estimate best = null;
        for (Sample s : recent) {
            long error = s.roundTripNanos() / 2 + Math.round(DRIFT * (nowNanos - s.atNanos()));
            if (best == null || error < best.errorNanos()) {
                best = new Estimate(s.offsetNanos(), error, s.roundTripNanos());
            }
        }
        return Optional.ofNullable(best);
    }
}
