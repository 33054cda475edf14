package dev.jdyno.observe;

import dev.jdyno.measure.Census;
import dev.jdyno.measure.LayerLimit;
import dev.jdyno.measure.PoolQueue;
import dev.jdyno.measure.PoolQueue.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Queues that a pool tells itself, in place of what was seen of it from outside, and its limits.
final class ToldQueues {
    private ToldQueues() {}

    /// @param told by MBeans, at the end of the census
    static Census in(Census census, List<PoolQueue> told) {
        List<PoolQueue> all = new ArrayList<>(census.queues());
        for (PoolQueue read : told) {
            PoolQueue bean = read.kind() == Kind.THREADS ? named(read) : read;
            Optional<PoolQueue> seen =
                    census.queues().stream().filter(q -> isThe(q, bean)).findFirst();
            seen.ifPresentOrElse(
                    s -> {
                        // two pools of one library: the second has nothing left to replace
                        all.remove(s);
                        all.add(bean);
                    },
                    () -> all.add(bean));
        }
        return census.withQueues(all);
    }

    /// @param told by MBeans; those of threads get the names that their pools have in the census
    static Census limited(Census census, List<LayerLimit> told) {
        List<LayerLimit> all = new ArrayList<>(census.limits());
        for (LayerLimit limit : told) {
            Optional<String> pool =
                    limit.kind() == LayerLimit.Kind.THREADS
                            ? census.pools().stream()
                                    .filter(p -> !p.loop())
                                    .map(Census.Pool::name)
                                    .filter(p -> areThreadsOf(p, limit.layer(), limit.from()))
                                    .findFirst()
                            : Optional.empty();
            all.add(
                    new LayerLimit(
                            pool.orElse(limit.layer()),
                            limit.kind(),
                            limit.atOnce(),
                            limit.from()));
        }
        return census.withLimits(all);
    }

    private static PoolQueue named(PoolQueue bean) {
        return new PoolQueue(
                PoolName.of(bean.pool()),
                bean.kind(),
                bean.size(),
                bean.busy(),
                bean.length(),
                false,
                bean.from());
    }

    /// `XNIO-1` tells of the threads `XNIO-1 task`, Jetty's pool of `qtp`.
    private static boolean areThreadsOf(String threads, String bean, String from) {
        String pool = threads.toLowerCase(Locale.ROOT);
        boolean jettys = pool.equals("qtp") && from.contains("Jetty");
        return jettys || (pool.startsWith(bean.toLowerCase(Locale.ROOT)) && !pool.contains("i/o"));
    }

    /// A pool of threads has the name of its threads; HikariCP's MBean tells of what threads were
    /// found waiting to borrow in HikariCP.
    private static boolean isThe(PoolQueue seen, PoolQueue bean) {
        if (seen.kind() != bean.kind()) {
            return false;
        }
        return bean.kind() == Kind.LENT
                ? seen.pool().toLowerCase(Locale.ROOT).startsWith("hikari")
                        && bean.from().startsWith("Hikari")
                : seen.pool().equals(bean.pool());
    }
}
