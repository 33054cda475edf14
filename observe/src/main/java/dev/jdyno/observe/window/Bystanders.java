package dev.jdyno.observe.window;

import dev.jdyno.observe.stacks.Frames.Kind;
import dev.jdyno.observe.threads.CoreUse;
import dev.jdyno.observe.threads.SampledThread;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds executors that no request uses: requests were completed, but none of the executor's
/// threads was on a core at any time in the window. Some tasks never end, such as a consumer of
/// events or a housekeeper between two rounds. Without this check they would look like work for a
/// request, because a worker of the executor runs them.
final class Bystanders {
    /// Waits that end by a notification or by the clock. A thread that waits for an answer or a
    /// lock that never comes shows just as little activity, but it must be reported.
    private static final Set<Kind> RESTS =
            EnumSet.of(Kind.QUEUE, Kind.CONDITION, Kind.WAIT, Kind.PARK, Kind.SLEEP);

    /// Minimum requests per second at which some requests pass through each thread pool that serves
    /// them, even in the shortest window.
    private static final double REQUESTS_FROM = 5;

    private Bystanders() {}

    /// @param qps requests completed per second; 0 when they are not counted
    /// @param cores CPU use of each thread in the window; a thread without an entry counts as
    ///   running
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
