package dev.jdyno.watch;

import dev.jdyno.measure.watch.WatchEvent;
import java.time.Instant;
import java.util.Optional;

/// The presence of a service's JVM: it appears, ends, is replaced by another one. Seconds are those
/// of the monotonic clock, so that a wall clock that is set does not change them.
final class Presence {
    /// Time after the end of a JVM in which another one counts as a restart without a gap in
    /// service. Then the service is gone.
    static final double GONE_AFTER_S = 30;

    private final String service;
    private final double goneAfterS;
    private Optional<Long> pid = Optional.empty();
    private double endedS;
    private boolean up;
    private boolean gone;

    /// @param goneAfterS seconds to wait for another JVM; 0 if no other is looked for
    Presence(String service, double goneAfterS) {
        this.service = service;
        this.goneAfterS = goneAfterS;
    }

    /// A JVM of the service runs.
    ///
    /// @return empty if it is the one that was watched before, and the service was not gone
    Optional<WatchEvent> appeared(Instant at, double nowS, long jvm) {
        Optional<Long> old = pid;
        // the end of a JVM that was up was not noticed, so it was a moment ago
        double downS = up ? 0 : Math.max(0, nowS - endedS);
        boolean wasGone = gone;
        pid = Optional.of(jvm);
        up = true;
        gone = false;
        if (old.isEmpty()) {
            return Optional.of(new WatchEvent.Watching(at, service, jvm));
        }
        return old.get() == jvm && !wasGone
                ? Optional.empty()
                : Optional.of(new WatchEvent.Restarted(at, service, old.get(), jvm, downS));
    }

    /// True if no JVM of the service was found so far.
    boolean isAwaited() {
        return pid.isEmpty();
    }

    /// The JVM has ended.
    void ended(double nowS) {
        up = false;
        endedS = nowS;
    }

    /// No JVM of the service runs now. Its last one has ended, even if its end was not noticed.
    ///
    /// @return the event, once
    Optional<WatchEvent> absent(Instant at, double nowS) {
        if (up) {
            ended(nowS);
        }
        if (gone || pid.isEmpty() || nowS - endedS < goneAfterS) {
            return Optional.empty();
        }
        gone = true;
        return Optional.of(new WatchEvent.Gone(at, service, pid.get()));
    }
}
