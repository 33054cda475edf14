package dev.jdyno.trial;

import dev.jdyno.measure.Census;
import dev.jdyno.measure.PoolQueue;
import dev.jdyno.measure.PoolQueue.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Queues that a pool tells itself, in place of what was seen of it from outside.
final class ToldQueues {
    private ToldQueues() {}

    /// @param told by MBeans, at the end of the census
    static Census in(Census census, List<PoolQueue> told) {
        List<PoolQueue> all = new ArrayList<>(census.queues());
        for (PoolQueue bean : told) {
            Optional<PoolQueue> seen =
                    census.queues().stream().filter(q -> isThe(q, bean)).findFirst();
            seen.ifPresentOrElse(
                    s -> {
                        // two pools of one library: the second has nothing left to replace
                        all.remove(s);
                        all.add(bean.kind() == Kind.THREADS ? named(bean, s.pool()) : bean);
                    },
                    () -> all.add(bean));
        }
        return census.withQueues(all);
    }

    private static PoolQueue named(PoolQueue bean, String pool) {
        return new PoolQueue(
                pool, bean.kind(), bean.size(), bean.busy(), bean.length(), false, bean.from());
    }

    /// `XNIO-1` tells of the threads `XNIO-1 task`, `queuedthreadpool` of `qtp`, and HikariCP's
    /// MBean of what threads were found waiting to borrow in HikariCP.
    private static boolean isThe(PoolQueue seen, PoolQueue bean) {
        if (seen.kind() != bean.kind()) {
            return false;
        }
        String pool = seen.pool().toLowerCase(Locale.ROOT);
        if (bean.kind() == Kind.LENT) {
            return pool.startsWith("hikari") && bean.from().startsWith("Hikari");
        }
        boolean jettys = pool.equals("qtp") && bean.from().startsWith("Jetty");
        return jettys
                || (pool.startsWith(bean.pool().toLowerCase(Locale.ROOT)) && !pool.contains("i/o"));
    }
}
