package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.PoolQueue.Kind;
import dev.jdyno.observe.stacks.PoolName;
import dev.jdyno.target.LibraryQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Queues and limits that a pool reports itself. They replace what was observed from outside.
final class ReportedQueues {
    private ReportedQueues() {}

    /// @param seen queues observed from outside
    /// @param reported queues reported by MBeans, at the end of the window
    static List<PoolQueue> of(List<LibraryQueue> seen, List<LibraryQueue> reported) {
        List<LibraryQueue> all = new ArrayList<>(seen);
        for (LibraryQueue read : reported) {
            LibraryQueue bean = named(read);
            Optional<LibraryQueue> same = seen.stream().filter(q -> isSame(q, bean)).findFirst();
            // two pools of one library: for the second one nothing is left to replace
            same.ifPresent(all::remove);
            all.add(bean);
        }
        return all.stream().map(LibraryQueue::queue).toList();
    }

    /// @param reported limits reported by MBeans; for thread pools, the name may be that of one
    ///   thread
    static List<LayerLimit> limits(List<LayerLimit> seen, List<LayerLimit> reported) {
        List<LayerLimit> all = new ArrayList<>(seen);
        for (LayerLimit l : reported) {
            String layer = l.kind() == LayerLimit.Kind.THREADS ? PoolName.of(l.layer()) : l.layer();
            all.add(new LayerLimit(layer, l.kind(), l.atOnce(), l.from()));
        }
        return all;
    }

    /// The MBean of a thread pool may contain the name of one of its threads.
    private static LibraryQueue named(LibraryQueue read) {
        PoolQueue bean = read.queue();
        return bean.kind() == Kind.LENT
                ? read
                : LibraryQueue.ofThreads(
                        new PoolQueue(
                                PoolName.of(bean.pool()),
                                bean.kind(),
                                bean.size(),
                                bean.busy(),
                                bean.length(),
                                false,
                                bean.from()));
    }

    /// True if both queues are of the same pool. A thread pool has the name of its threads. For
    /// connections, only the library in which threads wait to borrow is known.
    private static boolean isSame(LibraryQueue seen, LibraryQueue bean) {
        if (seen.queue().kind() != bean.queue().kind()) {
            return false;
        }
        return bean.queue().kind() == Kind.LENT
                ? seen.library().isPresent() && seen.library().equals(bean.library())
                : seen.queue().pool().equals(bean.queue().pool());
    }
}
