package dev.jdyno.observe.threads;

import dev.jdyno.measure.thread.ThreadReport;
import dev.jdyno.observe.stacks.ThreadDump.JavaThread;
import dev.jdyno.observe.stacks.ThreadDump.LockRef;
import dev.jdyno.observe.stacks.ThreadDump.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Threads that wait for each other in one dump. Pure.
///
/// A thread that is blocked on a monitor always counts. A parked thread counts if it parks on a
/// lock (`ReentrantLock$…Sync`, `ReentrantReadWriteLock$…`, `StampedLock`) or on an object that a
/// thread holds. An idle worker that parks on its queue's condition waits for work, not for a lock.
///
/// A target may return a hundred thousand threads that wait for each other. So the time of every
/// method here grows with the number of threads, not with its square.
///
/// @param holders index in `threads` of the first thread that holds a lock, by the lock's id
public record LockGraph(List<JavaThread> threads, Map<String, Integer> holders) {
    private static final int STACK_SHOWN = 6;

    public LockGraph(List<JavaThread> threads) {
        this(threads, holders(threads));
    }

    private static Map<String, Integer> holders(List<JavaThread> threads) {
        Map<String, Integer> holders = new HashMap<>();
        for (int i = 0; i < threads.size(); i++) {
            for (String lock : threads.get(i).locked()) {
                holders.putIfAbsent(lock, i);
            }
        }
        return holders;
    }

    public List<ThreadReport.Queue> queues() {
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
        return Optional.ofNullable(holders.get(lock.id())).map(threads::get);
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
    public List<ThreadReport.Deadlock> deadlocks() {
        return circles(next()).stream()
                .map(circle ->
                        new ThreadReport.Deadlock(
                                circle.stream().map(i -> waits(threads.get(i))).toList()))
                .toList();
    }

    /// Number of threads that can never continue: threads in a circle, and threads that wait for
    /// them directly or indirectly.
    public int behindDeadlocks() {
        Map<Integer, Integer> next = next();
        Set<Integer> stuck = new HashSet<>();
        circles(next).forEach(stuck::addAll);
        Map<Integer, List<Integer>> waiters = new HashMap<>();
        next.forEach((t, holder) -> waiters.computeIfAbsent(holder, _ -> new ArrayList<>()).add(t));
        Deque<Integer> ahead = new ArrayDeque<>(stuck);
        while (!ahead.isEmpty()) {
            for (int waiter : waiters.getOrDefault(ahead.pop(), List.of())) {
                if (stuck.add(waiter)) {
                    ahead.push(waiter);
                }
            }
        }
        return stuck.size();
    }

    /// For each thread the thread it waits for, by their indexes.
    private Map<Integer, Integer> next() {
        Map<Integer, Integer> next = new HashMap<>();
        for (int i = 0; i < threads.size(); i++) {
            Optional<Integer> holder = threads.get(i).waitsFor().map(l -> holders.get(l.id()));
            if (holder.isPresent() && holder.get() != i) {
                next.put(i, holder.get());
            }
        }
        return next;
    }

    private List<List<Integer>> circles(Map<Integer, Integer> next) {
        List<List<Integer>> circles = new ArrayList<>();
        Set<Integer> done = new HashSet<>();
        for (int start = 0; start < threads.size(); start++) {
            List<Integer> path = new ArrayList<>();
            @Nullable Integer at = start;
            while (at != null && done.add(at)) {
                path.add(at);
                at = next.get(at);
            }
            int from = at == null ? -1 : path.indexOf(at);
            if (from >= 0) {
                circles.add(List.copyOf(path.subList(from, path.size())));
            }
        }
        return circles;
    }

    private static ThreadReport.Deadlock.Waits waits(JavaThread thread) {
        return new ThreadReport.Deadlock.Waits(
                thread.name(), says(thread.waitsFor().orElseThrow()), thread.frames());
    }
}
