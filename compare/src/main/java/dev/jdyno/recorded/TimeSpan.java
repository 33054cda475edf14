package dev.jdyno.recorded;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A period by the wall clock.
record TimeSpan(Instant from, Instant to) {
    double seconds() {
        return Duration.between(from, to).toNanos() / 1e9;
    }

    /// The common part of both spans; empty if they do not overlap.
    Optional<TimeSpan> and(TimeSpan other) {
        Instant later = from.isAfter(other.from) ? from : other.from;
        Instant earlier = to.isBefore(other.to) ? to : other.to;
        return earlier.isAfter(later)
                ? Optional.of(new TimeSpan(later, earlier))
                : Optional.empty();
    }

    /// Time from the begin of the earlier span to the end of the later span.
    TimeSpan over(TimeSpan other) {
        return new TimeSpan(
                from.isBefore(other.from) ? from : other.from,
                to.isAfter(other.to) ? to : other.to);
    }

    /// A period with the same middle and at least this length.
    TimeSpan atLeast(double leastSeconds) {
        long more = (long) (Math.max(0, leastSeconds - seconds()) / 2 * 1e9);
        return new TimeSpan(from.minusNanos(more), to.plusNanos(more));
    }
}
