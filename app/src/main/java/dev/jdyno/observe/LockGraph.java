package dev.jdyno.observe;

import dev.jdyno.measure.ThreadReport;
import dev.jdyno.observe.ThreadDump.JavaThread;
import dev.jdyno.observe.ThreadDump.LockRef;
import dev.jdyno.observe.ThreadDump.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Who waits for whom, in one dump. Pure.
///
/// A thread blocked on a monitor always counts. A parked thread counts when the thing it parks on
/// is a lock (`ReentrantLock$…Sync`, `ReentrantReadWriteLock$…`, `StampedLock`) or is held by
/// somebody; an idle worker that parks on its queue's condition waits for work, not for a lock.
record LockGraph(List<JavaThread> threads) {
    private static final int STACK_SHOWN = 6;

    List<ThreadReport.Queue> queues() {
        Map<LockRef, List<JavaThread>> waiting = new LinkedHashMap<>();
        for (JavaThread t : threads) {
            t.waitsFor()
                    .filter(lock -> isQueue(t, lock))
                    .ifPresent(
                            lock -> waiting.computeIfAbsent(lock, _ -> new ArrayList<>()).add(t));
        }
        return waiting.entrySet().stream()
                .sorted(
                        Comparator.comparingInt(
                                (Map.Entry<LockRef, List<JavaThread>> e) -> -e.getValue().size()))
                .map(e ->
                        new ThreadReport.Queue(
                                says(e.getKey()),
                                e.getValue().stream().map(JavaThread::name).toList(),
                                holder(e.getKey()).map(LockGraph::holder)))
                .toList();
    }

    private boolean isQueue(JavaThread thread, LockRef lock) {
        return thread.state() == State.BLOCKED
                || lock.type().contains("Lock$")
                || lock.type().endsWith("StampedLock")
                || holder(lock).isPresent();
    }

    private Optional<JavaThread> holder(LockRef lock) {
        return threads.stream().filter(t -> t.locked().contains(lock.id())).findFirst();
    }

    private static ThreadReport.Holder holder(JavaThread thread) {
        return new ThreadReport.Holder(
                thread.name(),
                thread.state().name(),
                thread.frames().stream().limit(STACK_SHOWN).toList(),
                thread.waitsFor().map(LockGraph::says));
    }

    private static String says(LockRef lock) {
        return lock.type() + "@" + lock.id().replaceFirst("^0x0*", "");
    }

    /// Circles of threads, each waiting for a lock that the next one holds.
    List<ThreadReport.Deadlock> deadlocks() {
        Map<JavaThread, JavaThread> waitsForThread = waitsForThread();
        List<ThreadReport.Deadlock> circles = new ArrayList<>();
        Set<JavaThread> done = new HashSet<>();
        for (JavaThread start : threads) {
            circle(start, waitsForThread, done).ifPresent(circles::add);
        }
        return circles;
    }

    private Map<JavaThread, JavaThread> waitsForThread() {
        Map<JavaThread, JavaThread> next = new HashMap<>();
        for (JavaThread t : threads) {
            t.waitsFor()
                    .flatMap(this::holder)
                    .filter(h -> !h.equals(t))
                    .ifPresent(h -> next.put(t, h));
        }
        return next;
    }

    /// How many threads never go on: those in a circle, and those whose wait ends at one.
    int behindDeadlocks() {
        Map<JavaThread, JavaThread> next = waitsForThread();
        return (int)
                threads.stream()
                        .filter(t -> {
                            @Nullable JavaThread at = t;
                            // more steps than there are waits: only a circle has that many
                            for (int i = 0; i <= next.size() && at != null; i++) {
                                at = next.get(at);
                            }
                            return at != null;
                        })
                        .count();
    }

    private static Optional<ThreadReport.Deadlock> circle(
            JavaThread start, Map<JavaThread, JavaThread> next, Set<JavaThread> done) {
        List<JavaThread> path = new ArrayList<>();
        @Nullable JavaThread at = start;
        while (at != null && done.add(at)) {
            path.add(at);
            at = next.get(at);
        }
        int from = at == null ? -1 : path.indexOf(at);
        return from < 0
                ? Optional.empty()
                : Optional.of(
                        new ThreadReport.Deadlock(
                                path.subList(from, path.size()).stream()
                                        .map(LockGraph::waits)
                                        .toList()));
    }

    private static ThreadReport.Deadlock.Waits waits(JavaThread thread) {
        return new ThreadReport.Deadlock.Waits(
                thread.name(), says(thread.waitsFor().orElseThrow()), thread.frames());
    }
}
