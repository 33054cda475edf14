package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Demand;
import java.util.Optional;

/// The cost of handing over a contended lock. Under contention, 1 / X_max is the time from one
/// owner to the next: the hold, and the time until the woken thread runs. The second part does not
/// shrink with the hold.
///
/// It is estimated as the additional wait for a core at the highest load, compared with the lowest.
/// The next owner's wake-up is part of it; the wake-ups after a read or a sleep also occur at the
/// lowest load. A shortage of cores under load is counted, too, but the wake-up of idle cores is
/// not. So the true cost is between zero and about this value. A separate measurement (2 shared
/// cores, JDK 25) gave 0.5 to 1.0 ms from one owner to the next. Where all parts of a single
/// request are known, {@link #atMost} limits it: half the hold gave 1.87 and 2.01 times the
/// throughput of two locks (bench/predict) whose run queue alone allowed 1.4 times.
final class LockHandOver {
    /// Maximum share of the wait for cores. Above it, cores are short, too, and the wait is not
    /// caused by the lock alone.
    private static final double MAX_SHARE = 0.5;

    private LockHandOver() {}

    /// @param demand demand on any resource; only a lock is handed over
    /// @param busiest the breakdown at the highest load; without one, the cost is unknown
    /// @param calm the breakdown at the lowest load
    static double ms(Demand demand, Optional<Breakdown> busiest, Optional<Breakdown> calm) {
        double before = calm.map(a -> a.ms(Cause.RUN_QUEUE)).orElse(0.0);
        double grew = busiest.map(a -> a.ms(Cause.RUN_QUEUE) - before).orElse(0.0);
        return ResourceName.of(demand.resource()).is(Cause.LOCK)
                ? Math.clamp(grew, 0, MAX_SHARE * demand.ms())
                : 0;
    }

    /// Returns a lock whose hand-over time fits into the time that the other figures leave. A
    /// request that is alone takes the hold and all parts outside of it. The time from one owner to
    /// the next is longer than the hold by the hand-over.
    ///
    /// @param partsMs time from one owner to the next, and all parts outside of the hold
    /// @param aloneMs response time of a request that is alone
    static Resource atMost(Resource r, double partsMs, double aloneMs) {
        double left = partsMs - aloneMs + HeldTimes.MIN_SHARE * aloneMs;
        return new Resource(r.name(), r.ms(), r.units(), Math.min(r.fixedMs(), Math.max(0, left)));
    }

    /// Returns what a formula leaves out; empty for a resource that is not handed over.
    static String says(Resource bottleneck) {
        return bottleneck.fixedMs() <= 0
                ? ""
                : "; up to %s ms of that are the hand-over of the lock, which a shorter hold does not shorten (the run queue grew by as much with load)"
                        .formatted(number(bottleneck.fixedMs()));
    }
}
