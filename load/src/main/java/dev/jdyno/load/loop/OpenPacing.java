package dev.jdyno.load.loop;

import dev.jdyno.load.pacing.ArrivalTimes;
import dev.jdyno.load.pacing.Backlog;
import dev.jdyno.measure.load.ErrorKind;
import java.util.ArrayDeque;

/// The open model: arrivals follow a schedule. Each is sent on the connection that has been free
/// longest. If none is free, the arrival waits in the backlog, and its latency includes this wait.
/// An arrival is a journey: its further steps follow on the same connection, each after the reply
/// to the step before.
final class OpenPacing implements Pacing {
    /// Maximum wait for the connections before the schedule begins. Arrivals make the connections
    /// that are still missing then.
    private static final long LONGEST_SETTLING_NANOS = 60_000_000_000L;

    private final EventLoop loop;
    private final ArrivalTimes times;
    private final Backlog backlog;
    private final ArrayDeque<User> free = new ArrayDeque<>();

    /// Time at which the next arrival is due. It is a double, so that gaps of fractional
    /// nanoseconds do not drift. A double is exact up to 2⁵³ ns, which are 104 days.
    private double next;

    private final long createdNanos;
    private long originNanos;
    private long lastDueNanos;
    private long arrived;
    private boolean started;
    private boolean ended;

    /// @param originNanos time from which the gaps of the schedule count
    /// @param running true if a schedule runs already. Otherwise this one begins when the
    ///   connections have been tried, so that no arrival waits for its first connection.
    OpenPacing(
            EventLoop loop,
            ArrivalTimes times,
            Backlog backlog,
            long originNanos,
            boolean running) {
        this.createdNanos = loop.now;
        this.started = running;
        this.loop = loop;
        this.times = times;
        this.backlog = backlog;
        this.originNanos = originNanos;
        this.lastDueNanos = originNanos;
        this.next = times.nextGapNanos();
        this.ended = Double.isInfinite(next);
    }

    @Override
    public void free(User user, long now) {
        if (loop.isSurplus(user)) {
            user.close();
        } else if (loop.spec.keepAlive() && !user.isConnected()) {
            user.open(now);
        } else if (!backlog.isEmpty()) {
            long number = backlog.oldestNumber();
            user.begin(backlog.poll(), number, now);
        } else if (!user.parked) {
            user.parked = true;
            free.addLast(user);
        }
    }

    @Override
    public void carryOn(User user, long now) {
        user.begin(now, now); // the arrival that began the journey was taken from the budget
    }

    @Override
    public void due(User user, long dueNanos, long now) {
        free(user, now);
    }

    @Override
    public void lost(User user, long now) {
        free.remove(user);
        user.parked = false;
        free(user, now);
    }

    @Override
    public boolean connectFailed() {
        if (backlog.isEmpty()) {
            return false;
        }
        backlog.poll(); // the failure belongs to this arrival
        return true;
    }

    @Override
    public long nextArrival() {
        return ended || !started ? Long.MAX_VALUE : originNanos + (long) next;
    }

    @Override
    public void fire(long now) {
        if (!started) {
            if (!loop.isSettled() && now - createdNanos < LONGEST_SETTLING_NANOS) {
                return;
            }
            started = true;
            originNanos += now - createdNanos;
            lastDueNanos = originNanos;
        }
        long due;
        while ((due = nextArrival()) <= now) {
            if (!loop.takeBudget()) {
                ended = true;
                return;
            }
            next += times.nextGapNanos();
            ended = Double.isInfinite(next);
            lastDueNanos = due;
            arrive(due, times.request(arrived++));
        }
    }

    private void arrive(long due, long number) {
        User user = free.pollFirst();
        if (user != null) {
            user.parked = false;
            long now = loop.tick();
            loop.stats.sendError(now - due);
            user.begin(due, number, now);
        } else if (backlog.add(due, number)) {
            loop.stats.backlogged++;
            loop.stats.backlogMost = Math.max(loop.stats.backlogMost, backlog.size());
        } else {
            loop.stats.error(ErrorKind.DROPPED);
        }
    }

    @Override
    public void expire(long now, long timeoutNanos) {
        while (!backlog.isEmpty() && now - backlog.oldest() > timeoutNanos) {
            backlog.poll();
            loop.stats.error(ErrorKind.NOT_SENT);
        }
    }

    @Override
    public int backlog() {
        return backlog.size();
    }

    /// Time at which the last arrival was due.
    long lastDueNanos() {
        return lastDueNanos;
    }

    /// Returns the waiting arrivals for the next pacing.
    Backlog arrivals() {
        return backlog;
    }
}
