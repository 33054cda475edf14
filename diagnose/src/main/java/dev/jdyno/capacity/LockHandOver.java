package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Demand;
import java.util.Optional;

/// The cost of handing over a contended lock. Under contention, 1 / X_max is the time from one
/// owner to the next. It is the hold time plus the time until the woken thread runs. A shorter hold
/// time does not shorten the second part.
///
/// The cost is estimated as the wait for a core at the highest load minus that at the lowest load.
/// The difference includes the wake-up of the next owner. It does not include wake-ups after a read
/// or a sleep, because these occur at the lowest load, too. It also includes a shortage of cores
/// under load, but not the wake-up of idle cores. So the true cost is between zero and about this
/// value. A separate measurement (2 shared cores, JDK 25) gave 0.5 to 1.0 ms from one owner to the
/// next. If all parts of a single request are known, {@link #atMost} limits the cost. This limit is
/// needed: for two locks (bench/predict), half the hold time gave 1.87 and 2.01 times the
/// throughput. The run queue alone predicted 1.4 times.
final class LockHandOver {
    /// Maximum hand-over cost as a share of the lock's demand. A longer wait for cores shows that
    /// cores are short, too, and the lock is not its only cause.
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

    /// Returns the lock with its hand-over time limited to what the other figures allow. A request
    /// that is alone takes the hold time and all parts outside of the lock, but no hand-over. The
    /// time from one owner to the next is the hold time plus the hand-over.
    ///
    /// @param partsMs time from one owner to the next, and all parts outside of the lock
    /// @param aloneMs response time of a request that is alone
    static Resource atMost(Resource r, double partsMs, double aloneMs) {
        double left = partsMs - aloneMs + HeldTimes.MIN_SHARE * aloneMs;
        return new Resource(r.name(), r.ms(), r.units(), Math.min(r.fixedMs(), Math.max(0, left)));
    }

    /// Returns a text on the hand-over time, which the formula does not include; empty for a
    /// resource without hand-over.
    static String says(Resource bottleneck) {
        return bottleneck.fixedMs() <= 0
                ? ""
                : "; up to %s ms of that are the hand-over of the lock, which a shorter hold time does not reduce (the run queue grew by this time with the load)"
                        .formatted(number(bottleneck.fixedMs()));
    }
}
