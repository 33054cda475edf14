package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.PoolQueue.Kind;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.stacks.PoolName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Queues that a pool tells itself, in place of what was seen of it from outside, and its limits.
final class ReportedQueues {
    private ReportedQueues() {}

    /// @param reported by MBeans, at the end of the thread samples
    static ThreadSamples in(ThreadSamples census, List<PoolQueue> reported) {
        List<PoolQueue> all = new ArrayList<>(census.queues());
        for (PoolQueue read : reported) {
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

    /// @param reported by MBeans; those of threads by the name of one of these
    static ThreadSamples limited(ThreadSamples census, List<LayerLimit> reported) {
        List<LayerLimit> all = new ArrayList<>(census.limits());
        for (LayerLimit l : reported) {
            String layer = l.kind() == LayerLimit.Kind.THREADS ? PoolName.of(l.layer()) : l.layer();
            all.add(new LayerLimit(layer, l.kind(), l.atOnce(), l.from()));
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
