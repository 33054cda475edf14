package dev.jdyno.capacity;

import static dev.jdyno.capacity.RequestPath.number;

import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Demand;
import java.util.Optional;

/// What it costs to hand a contended lock over. Under contention 1 / X_max is the time from one
/// owner to the next: the hold, and until the thread that was woken runs. That second part does not
/// shrink with the hold.
///
/// It is taken as what a request waits longer for a core under the most load than under the least:
/// the next owner's wake-up is part of that, while the wake-ups that end a read or a sleep are
/// there under the least load, too. Cores that are shorter under load are counted as well, idle
/// ones that must wake up first are not; so the truth lies between nothing and about this. Measured
/// beside it (2 shared cores, JDK 25): 0.5 to 1.0 ms from one owner to the next.
final class LockHandOver {
    /// Where requests wait longer for cores than that, cores are short too and the wait is not the
    /// lock's alone.
    private static final double MOST_SHARE = 0.5;

    private LockHandOver() {}

    /// @param demand of any resource; only a lock's is handed over
    /// @param busiest the breakdown under the most load; without one nothing is known
    /// @param calm that under the least
    static double ms(Demand demand, Optional<Breakdown> busiest, Optional<Breakdown> calm) {
        double before = calm.map(a -> a.ms(Cause.RUN_QUEUE)).orElse(0.0);
        double grew = busiest.map(a -> a.ms(Cause.RUN_QUEUE) - before).orElse(0.0);
        return ResourceName.of(demand.resource()).is(Cause.LOCK)
                ? Math.clamp(grew, 0, MOST_SHARE * demand.ms())
                : 0;
    }

    /// What a formula leaves out; empty for a resource that is not handed over.
    static String says(Resource bottleneck) {
        return bottleneck.fixedMs() <= 0
                ? ""
                : "; %s ms of that hand the lock over, and a shorter hold does not shorten it (between 0 and that: the run queue grew by as much with load)"
                        .formatted(number(bottleneck.fixedMs()));
    }
}
