package dev.jdyno.observe.window;

import dev.jdyno.observe.stacks.Frames.Kind;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.observe.threads.SampledThread;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Tells which executors are on no request's way: while requests were completed none of their
/// threads was on a core for a moment of the window. A task that never ends (a consumer of events,
/// a housekeeper between two rounds) looks like work for a request otherwise, for its executor's
/// worker has it in hand.
final class Bystanders {
    /// Waits that another user or the clock ends. Who waits for an answer or for a lock that never
    /// comes shows no more of itself, and must be told.
    private static final Set<Kind> RESTS =
            EnumSet.of(Kind.QUEUE, Kind.CONDITION, Kind.WAIT, Kind.PARK, Kind.SLEEP);

    /// Requests each second from which in the shortest window some pass through each thread pool
    /// that serves them.
    private static final double REQUESTS_FROM = 5;

    private Bystanders() {}

    /// @param qps requests completed each second; 0 when nobody counts them
    /// @param cores of each thread in the window; one that is missing is not known to rest
    static Set<String> pools(
            List<List<SampledThread>> dumps, double qps, Map<Long, CoreUse> cores) {
        Set<String> all = new HashSet<>();
        Set<String> passed = new HashSet<>();
        boolean served = qps >= REQUESTS_FROM;
        for (List<SampledThread> dump : dumps) {
            for (SampledThread seen : dump) {
                boolean ran = ran(seen, cores);
                served |= ran && seen.thread().serving();
                if (ran || seen.thread().serving() || !rests(seen)) {
                    passed.add(seen.thread().pool());
                }
                all.add(seen.thread().pool());
            }
        }
        if (!served) {
            return Set.of();
        }
        all.removeAll(passed);
        return all;
    }

    private static boolean ran(SampledThread seen, Map<Long, CoreUse> cores) {
        CoreUse use = cores.get(seen.thread().thread().tid());
        return use == null || use.onCpu() > 0;
    }

    private static boolean rests(SampledThread seen) {
        return seen.thread()
                .doing()
                .map(d -> d.how().filter(RESTS::contains).isPresent())
                .orElse(true);
    }
}
