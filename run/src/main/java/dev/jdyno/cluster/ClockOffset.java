package dev.jdyno.cluster;

import java.util.ArrayDeque;
import java.util.Optional;

/// Offset of another process's monotonic clock from ours, measured by exchanges of messages as NTP
/// does it (RFC 5905, 8). Of the recent exchanges, the one with the shortest round trip counts. Its
/// error is at most half of that round trip, plus the possible drift of the clocks since then.
///
/// Wall clocks play no part, so a jump of a wall clock changes nothing.
public final class ClockOffset {
    /// Maximum number of exchanges kept: half a minute of them.
    private static final int MAX = 120;

    /// Maximum drift between two quartz clocks: less than 100 parts in a million.
    private static final double DRIFT = 1e-4;

    private record Sample(long atNanos, long offsetNanos, long roundTripNanos) {}

    private final ArrayDeque<Sample> recent = new ArrayDeque<>();

    /// One exchange.
    ///
    /// @param sent time of our clock when the question was sent
    /// @param reached time of the peer's clock when the peer read the question
    /// @param answered time of the peer's clock when the peer sent the answer
    /// @param back time of our clock when we read the answer
    synchronized void add(long sent, long reached, long answered, long back) {
        long roundTrip = Math.max(0, back - sent - (answered - reached));
        long offset = (reached - sent + answered - back) / 2;
        if (recent.size() == MAX) {
            recent.removeFirst();
        }
        recent.addLast(new Sample(back, offset, roundTrip));
    }

    /// @param offsetNanos the peer's clock minus our clock
    /// @param errorNanos maximum error of the offset
    /// @param roundTripNanos of the exchange it comes from
    public record Estimate(long offsetNanos, long errorNanos, long roundTripNanos) {}

    /// The offset now; empty before the first exchange.
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
