package dev.jdyno.gclog.read;

import dev.jdyno.gclog.event.GcEvent;
import java.util.OptionalLong;

/// The single time axis of a log, in seconds that never decrease. A log may contain several JVM
/// starts, have no uptimes, or be written while the wall clock was set back.
public final class LogClock {
    /// Maximum decrease of uptime between lines of different threads, in seconds. A larger decrease
    /// means that a new JVM wrote the line.
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

    /// True if uptimes were found in tables only.
    private boolean byTable;

    /// Minimum increase of a time stamp that may be torn, in seconds.
    private static final double LEAP_S = 5;

    /// Uptimes below this, in seconds, are plausible for a JVM that has just started. They are
    /// always accepted.
    private static final double BEGUN_S = 10;

    /// Maximum increase, in seconds, with which a stamp continues from the last accepted one. A
    /// larger increase is also accepted if it is at most as many mean gaps between stamps as the
    /// next constant.
    private static final double NEAR_S = 60;

    private static final double NEAR_GAPS = 10;

    /// Number of further stamps after which a large increase is accepted.
    private static final int BELIEVED = 3;

    /// Maximum duration of an event. A JVM practically never stops for longer.
    private static final double LONGEST_EVENT_S = 3600;

    /// Minimum increase, in seconds, that the time axis follows only after it is accepted.
    private static final double ABSURD_S = 30 * 24 * 3600.0;

    private double raw;
    private long stamps;

    /// State before a large increase of the stamps: the last stamp, and the values then. If a later
    /// stamp continues from there, the stamp in between was torn.
    private boolean doubting;

    private double trusted;
    private double lastBefore;
    private double shiftBefore;
    private int restartsBefore;
    private int stampsSince;

    /// Processes the uptime decoration of a line.
    public void uptime(double seconds) {
        byTable = false;
        stamp(seconds);
    }

    /// The moment of an uptime in a table, which may be written long after the event. It can only
    /// move the axis forward. If lines have only the wall clock, it does not move the axis.
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
            // The next stamp continues from this one, so the increase was a real gap.
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
            // only the wall clock was known so far: continue from its position
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

    /// Processes the wall clock of a line. It moves the axis only if the log has no uptimes.
    public void wall(long ms) {
        hasEpoch = true;
        epochMs = ms;
        if (!hasFirstEpoch) {
            hasFirstEpoch = true;
            firstEpochMs = ms;
        }
        if (byTable) {
            // from here on, lines have time stamps of their own
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

    /// Called when an event ended later than all time stamps. JDK 6–8 write the time of an event's
    /// start.
    public void atLeast(double t) {
        // a later end comes from a torn stamp
        if (started && t <= last + LONGEST_EVENT_S) {
            last = Math.max(last, t);
        }
    }

    /// The time `ms` before now, which is the start of an event that the current line ended.
    public GcEvent.When before(double ms) {
        return new GcEvent.When(
                last - ms / 1000,
                hasEpoch ? OptionalLong.of(Math.round(epochMs - ms)) : OptionalLong.empty());
    }

    public GcEvent.When now() {
        return before(0);
    }

    /// Forgets the wall clock of an earlier line, so that no event gets an outdated one.
    void forgetWall() {
        hasEpoch = false;
    }

    public double last() {
        return last;
    }

    public double first() {
        return first;
    }

    /// The start of the log if its first event began at `t`. A stop is written at its end, so the
    /// first stop may have begun before any stamp. It cannot have begun before its JVM.
    public double firstOr(double t) {
        double min = uptimeSeen && shift == 0 ? 0 : first - LONGEST_EVENT_S;
        return Math.min(first, Math.max(t, Math.max(min, first - LONGEST_EVENT_S)));
    }

    public boolean isTimed() {
        return started;
    }

    public OptionalLong firstEpochMs() {
        return hasFirstEpoch ? OptionalLong.of(firstEpochMs) : OptionalLong.empty();
    }

    /// Number of times that the uptime started anew, each because of another JVM in the same log.
    public int restarts() {
        return restarts;
    }

    /// Number of times that the wall clock decreased in a log without uptimes.
    public int backwards() {
        return backwards;
    }
}
