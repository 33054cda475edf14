package dev.jdyno.measure.watch;

import java.time.Instant;
import java.util.Optional;

/// A state of a watched service that an event began, or an event that has no end of its own.
///
/// @param cause the event that began it
/// @param startsAt never after `endsAt`
/// @param endsAt the end, which may lie ahead; empty while it is unknown
public record WatchAlert(WatchEvent cause, Instant startsAt, Optional<Instant> endsAt) {
    public WatchAlert {
        if (endsAt.filter(startsAt::isAfter).isPresent()) {
            throw new IllegalArgumentException(startsAt + " is after " + endsAt);
        }
    }

    /// An alert whose end is unknown.
    public static WatchAlert from(WatchEvent cause) {
        return new WatchAlert(cause, cause.at(), Optional.empty());
    }

    /// The same alert, ended. A wall clock that was set back may be before its begin.
    public WatchAlert until(Instant end) {
        return new WatchAlert(cause, startsAt.isAfter(end) ? end : startsAt, Optional.of(end));
    }

    /// The same alert; its begin is not after this time.
    public WatchAlert notAfter(Instant now) {
        return startsAt.isAfter(now) ? new WatchAlert(cause, now, endsAt) : this;
    }
}
