package dev.jdyno.gclog;

import java.util.OptionalLong;

/// The one time axis of a log: seconds that never fall back, although a log may hold several JVM
/// starts, have no uptime, or have been written while the wall clock was set back.
final class LogClock {
    /// Lines of different threads may be this much out of order; a larger fall is a new JVM.
    private static final double DISORDER_S = 1.0;

    private boolean started;
    private double first;
    private double last;
    private double shift;
    private boolean hasEpoch;
    private long epochMs;
    private long firstEpochMs;
    private boolean hasFirstEpoch;
    private int restarts;
    private int backwards;
    private boolean uptimeSeen;

    /// The line's uptime decoration.
    void uptime(double seconds) {
        if (!uptimeSeen && started) {
            // until now only the wall clock was known: go on from where it stands
            shift = last - seconds;
        }
        uptimeSeen = true;
        double t = seconds + shift;
        if (started && t < last - DISORDER_S) {
            restarts++;
            shift = last - seconds;
            t = last;
        }
        advance(t);
    }

    /// The line's wall clock; moves the axis only where no uptime is written.
    void wall(long ms) {
        hasEpoch = true;
        epochMs = ms;
        if (!hasFirstEpoch) {
            hasFirstEpoch = true;
            firstEpochMs = ms;
        }
        if (uptimeSeen) {
            return;
        }
        double t = (ms - firstEpochMs) / 1000.0 + shift;
        if (started && t < last - DISORDER_S) {
            backwards++;
            shift += last - t;
            t = last;
        }
        advance(t);
    }

    private void advance(double t) {
        if (!started) {
            started = true;
            first = t;
            last = t;
        }
        last = Math.max(last, t);
    }

    /// An event ended later than any line's stamp: JDK 6–8 stamp the begin.
    void atLeast(double t) {
        if (started) {
            last = Math.max(last, t);
        }
    }

    /// Now, less `ms`: the begin of what the present line ended.
    GcEvent.When before(double ms) {
        return new GcEvent.When(
                last - ms / 1000,
                hasEpoch ? OptionalLong.of(Math.round(epochMs - ms)) : OptionalLong.empty());
    }

    GcEvent.When now() {
        return before(0);
    }

    /// Forgets the wall clock of an earlier line, so that no event gets a stale one.
    void forgetWall() {
        hasEpoch = false;
    }

    double last() {
        return last;
    }

    double first() {
        return first;
    }

    boolean isTimed() {
        return started;
    }

    OptionalLong firstEpochMs() {
        return hasFirstEpoch ? OptionalLong.of(firstEpochMs) : OptionalLong.empty();
    }

    /// Times the uptime began anew: further JVMs in the same log.
    int restarts() {
        return restarts;
    }

    /// Times the wall clock fell in a log without uptimes.
    int backwards() {
        return backwards;
    }
}
