package dev.jdyno.watch;

import dev.jdyno.measure.NanoClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Divides the time into the minutes of the wall clock. The length of a minute is measured by the
/// monotonic clock, so that a wall clock that is set in between changes no figure.
final class MinuteClock {
    /// Minimum length of a minute. If less is left of it, it ends with the next one.
    static final double MIN_S = 10;

    /// Minimum difference of both clocks in a minute that counts as a jump. Slewing (NTP) changes a
    /// minute by at most 0.03 s.
    static final double JUMP_S = 1;

    private static final long MINUTE_MS = 60_000;

    private final InstantSource wall;
    private final NanoClock clock;

    MinuteClock(InstantSource wall, NanoClock clock) {
        this.wall = wall;
        this.clock = clock;
    }

    /// A minute that begins.
    ///
    /// @param at its begin on the wall clock
    /// @param startNanos its begin on the monotonic clock
    /// @param seconds planned length
    record Begun(Instant at, long startNanos, double seconds) {}

    /// Begins a minute that ends with a full minute of the wall clock.
    Begun begin() {
        Instant at = wall.instant();
        double left = (MINUTE_MS - Math.floorMod(at.toEpochMilli(), MINUTE_MS)) / 1000.0;
        return new Begun(at, clock.nanos(), left < MIN_S ? left + MINUTE_MS / 1000.0 : left);
    }

    /// Seconds since the begin of a minute.
    double seconds(Begun begun) {
        return clock.secondsSince(begun.startNanos());
    }

    /// Seconds by which the wall clock was set forward since the begin of a minute, negative if it
    /// was set back; 0 for less than {@link #JUMP_S}.
    double jumpS(Begun begun) {
        double wallS = Duration.between(begun.at(), wall.instant()).toMillis() / 1000.0;
        double jump = wallS - seconds(begun);
        return Math.abs(jump) < JUMP_S ? 0 : jump;
    }

    Instant now() {
        return wall.instant();
    }
}
