package dev.jdyno.gclog.read;

import dev.jdyno.gclog.event.GcEvent;
import java.util.OptionalLong;

/// The one time axis of a log: seconds that never fall back, although a log may hold several JVM
/// starts, have no uptime, or have been written while the wall clock was set back.
public final class LogClock {
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

    /// Whether uptimes stood in tables only.
    private boolean byTable;

    /// A stamp that leaps forward this much may be a torn one.
    private static final double LEAP_S = 5;

    /// Uptimes below it are those of a JVM that has just begun, and no torn ones.
    private static final double BEGUN_S = 10;

    /// A stamp this near behind the last one that was trusted goes on from there; so does one
    /// within as many mean gaps between stamps.
    private static final double NEAR_S = 60;

    private static final double NEAR_GAPS = 10;

    /// Further stamps after which a leap or a fall is believed.
    private static final int BELIEVED = 3;

    /// Hardly a JVM stands still for longer.
    private static final double LONGEST_EVENT_S = 3600;

    /// A leap that must be believed before the axis follows it.
    private static final double ABSURD_S = 30 * 24 * 3600.0;

    private double raw;
    private long stamps;

    /// After a leap or a fall: the stamp before it, and how things stood then. A torn stamp is
    /// recognised by one that goes on from there.
    private boolean doubting;

    private double trusted;
    private double lastBefore;
    private double shiftBefore;
    private int restartsBefore;
    private int stampsSince;

    /// The line's uptime decoration.
    public void uptime(double seconds) {
        byTable = false;
        stamp(seconds);
    }

    /// The moment of an uptime in a table, which may be written long after what it tells: moves the
    /// axis only forward, and not where lines tell the time by the wall clock.
    public GcEvent.When inTable(double seconds) {
        if (started && !uptimeSeen) {
            return now();
        }
        if (!started || seconds + shift >= last) {
            byTable |= !started;
            stamp(seconds);
        }
        return new GcEvent.When(Math.min(seconds + shift, last), OptionalLong.empty());
    }

    private void stamp(double seconds) {
        if (doubting) {
            settle(seconds);
        }
        boolean odd = seconds > raw + LEAP_S || seconds < raw - DISORDER_S;
        if (!doubting && uptimeSeen && odd && raw >= BEGUN_S) {
            doubting = true;
            stampsSince = 0;
            trusted = raw;
            lastBefore = last;
            shiftBefore = shift;
            restartsBefore = restarts;
        }
        raw = seconds;
        stamps++;
        if (!doubting || seconds < trusted + ABSURD_S) {
            take(seconds);
        }
    }

    private void settle(double seconds) {
        if (raw > trusted && seconds >= raw - DISORDER_S) {
            // the next goes on from there: a gap
            doubting = false;
            return;
        }
        double near = Math.max(NEAR_S, NEAR_GAPS * (lastBefore - first) / stamps);
        if (seconds >= trusted - DISORDER_S && seconds <= trusted + near) {
            doubting = false;
            restarts = restartsBefore;
            last = lastBefore;
            shift = shiftBefore;
            raw = trusted;
        } else if (++stampsSince == BELIEVED) {
            doubting = false;
            raw = seconds;
        }
    }

    private void take(double seconds) {
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
    public void wall(long ms) {
        hasEpoch = true;
        epochMs = ms;
        if (!hasFirstEpoch) {
            hasFirstEpoch = true;
            firstEpochMs = ms;
        }
        if (byTable) {
            // from here on lines tell the time
            byTable = false;
            uptimeSeen = false;
            shift = last;
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
    public void atLeast(double t) {
        // later than that it was begun by a torn stamp
        if (started && t <= last + LONGEST_EVENT_S) {
            last = Math.max(last, t);
        }
    }

    /// Now, less `ms`: the begin of what the present line ended.
    public GcEvent.When before(double ms) {
        return new GcEvent.When(
                last - ms / 1000,
                hasEpoch ? OptionalLong.of(Math.round(epochMs - ms)) : OptionalLong.empty());
    }

    public GcEvent.When now() {
        return before(0);
    }

    /// Forgets the wall clock of an earlier line, so that no event gets a stale one.
    void forgetWall() {
        hasEpoch = false;
    }

    public double last() {
        return last;
    }

    public double first() {
        return first;
    }

    /// Where the log begins when what it tells began at `t`: a stop is written at its end, so the
    /// first one may have begun before any stamp, but not before its JVM.
    public double firstOr(double t) {
        double least = uptimeSeen && shift == 0 ? 0 : first - LONGEST_EVENT_S;
        return Math.min(first, Math.max(t, Math.max(least, first - LONGEST_EVENT_S)));
    }

    public boolean isTimed() {
        return started;
    }

    public OptionalLong firstEpochMs() {
        return hasFirstEpoch ? OptionalLong.of(firstEpochMs) : OptionalLong.empty();
    }

    /// Times the uptime began anew: further JVMs in the same log.
    public int restarts() {
        return restarts;
    }

    /// Times the wall clock fell in a log without uptimes.
    public int backwards() {
        return backwards;
    }
}
