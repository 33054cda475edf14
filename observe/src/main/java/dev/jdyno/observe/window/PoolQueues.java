package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.PoolQueue.Kind;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.target.LibraryQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Length of the queue before each pool, from the kernel's data and the dumps of one set of thread
/// samples. Pure.
///
/// An executor's queue is a field of an object, so no counter, socket or stack shows it. But its
/// waiters are visible elsewhere. A request that no thread has read waits in its socket. A request
/// that was read and has no thread is still counted inside the target. A thread that waits for the
/// result of a task is in a dump. If a thread is idle in every dump, nothing waits.
final class PoolQueues {
    /// Minimum number of requests inside without a thread; fewer may be a counting error. The
    /// second value is the minimum as a share of all requests inside.
    private static final double MIN_WITHOUT_THREAD = 2;

    private static final double MIN_WITHOUT_THREAD_SHARE = 0.1;

    /// Minimum mean number of threads waiting for results for them to be a queue.
    private static final double SOME = 0.05;

    private static final Pattern NUMBER = Pattern.compile("\\d{2,5}");

    /// Mean numbers of requests.
    ///
    /// @param found requests with a thread, in a call, or unread
    /// @param inside requests by the kernel's count; 0 if it was not read
    record Requests(double found, double inside) {}

    private final ThreadPlaces seen;
    private final Requests requests;
    private final Map<Integer, Double> unread;
    private final List<ThreadSamples.Pool> serving;

    private PoolQueues(ThreadPlaces seen, Requests requests, Map<Integer, Double> unread) {
        this.seen = seen;
        this.requests = requests;
        this.unread = unread;
        this.serving = servers(seen);
    }

    /// The pools whose threads read requests from their sockets. Event loops count only if no pool
    /// of workers does.
    private static List<ThreadSamples.Pool> servers(ThreadPlaces seen) {
        List<ThreadSamples.Pool> workers =
                seen.pools().stream().filter(p -> p.serving() && !p.loop()).toList();
        return workers.isEmpty()
                ? seen.pools().stream().filter(ThreadSamples.Pool::serving).toList()
                : workers;
    }

    /// @param seen where the threads are; without dumps it has no pools, and there are no queues
    /// @param unread mean number of connections whose request was not read yet, by their port
    static List<LibraryQueue> of(
            ThreadPlaces seen, Requests requests, Map<Integer, Double> unread) {
        var queues = new PoolQueues(seen, requests, unread);
        List<LibraryQueue> all = new ArrayList<>();
        seen.pools().forEach(p -> all.add(LibraryQueue.ofThreads(queues.of(p))));
        seen.byPlace(Cause.POOL).forEach((place, threads) -> all.add(lent(place, threads)));
        return all;
    }

    private static LibraryQueue lent(Place place, double threads) {
        return new LibraryQueue(
                new PoolQueue(
                        place.text(),
                        Kind.LENT,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(threads),
                        false,
                        "threads found waiting to borrow"),
                place instanceof Place.Library(String name, _)
                        ? Optional.of(name)
                        : Optional.empty());
    }

    private PoolQueue of(ThreadSamples.Pool pool) {
        if (serving.contains(pool)) {
            return beforeServer(pool);
        }
        double noCarrier = pool.doing(Cause.RUN_QUEUE);
        if (noCarrier > 0) {
            return known(pool, noCarrier, false, "virtual threads that no carrier runs");
        }
        if (pool.loop()) {
            return unknown(pool, "what waits for an event loop is in its own memory");
        }
        if (pool.minIdle() > 0) {
            return known(pool, 0, false, "a thread was idle in every dump");
        }
        return byWhoWaitsForResults(pool);
    }

    private PoolQueue beforeServer(ThreadSamples.Pool pool) {
        Optional<Double> sockets = unreadBefore(pool);
        if (sockets.isEmpty()) {
            return unknown(
                    pool,
                    "several pools take requests in: it is not known for which of them the unread requests wait");
        }
        double withoutThread = serving.size() == 1 && pool.isSaturated() ? withoutThread() : 0;
        return withoutThread > 0
                ? known(
                        pool,
                        sockets.get() + withoutThread,
                        false,
                        "sockets with an unread request, and requests inside that no thread has")
                : known(pool, sockets.get(), false, "sockets with an unread request");
    }

    /// Mean number of requests that were read and have no thread: the kernel's count minus the
    /// requests that were found.
    private double withoutThread() {
        double withoutThread = requests.inside() - requests.found();
        return withoutThread
                        >= Math.max(
                                MIN_WITHOUT_THREAD, MIN_WITHOUT_THREAD_SHARE * requests.inside())
                ? withoutThread
                : 0;
    }

    /// A pool with a port in its name (`http-nio-8080-exec`) reads from that port. If there is only
    /// one other pool, it reads from all other ports. Empty if there are several other pools.
    private Optional<Double> unreadBefore(ThreadSamples.Pool pool) {
        Map<Integer, ThreadSamples.Pool> named = new HashMap<>();
        serving.forEach(p ->
                NUMBER.matcher(p.name())
                        .results()
                        .map(m -> Integer.parseInt(m.group()))
                        .filter(unread::containsKey)
                        .forEach(port -> named.put(port, p)));
        if (named.containsValue(pool) && serving.size() > 1) {
            return Optional.of(
                    named.entrySet().stream()
                            .filter(e -> e.getValue().equals(pool))
                            .mapToDouble(e -> unread.getOrDefault(e.getKey(), 0.0))
                            .sum());
        }
        long unnamed = serving.stream().filter(p -> !named.containsValue(p)).count();
        double others =
                unread.entrySet().stream()
                        .filter(e -> serving.size() == 1 || !named.containsKey(e.getKey()))
                        .mapToDouble(Map.Entry::getValue)
                        .sum();
        return unnamed > 1 && others > 0 ? Optional.empty() : Optional.of(others);
    }

    /// Each thread that waits for a result has a task that runs or waits. If exactly one pool has
    /// no idle thread, the tasks are those of that pool.
    private PoolQueue byWhoWaitsForResults(ThreadSamples.Pool pool) {
        double waiters = seen.threads(Cause.FUTURE);
        List<ThreadSamples.Pool> full =
                seen.pools().stream()
                        .filter(p -> !serving.contains(p) && !p.loop())
                        .filter(p -> p.isSaturated() && p.busy() >= 1)
                        .toList();
        return waiters - pool.busy() > SOME && full.equals(List.of(pool))
                ? known(
                        pool,
                        waiters - pool.busy(),
                        true,
                        "threads that wait for a result, less its own in use")
                : unknown(
                        pool,
                        "an executor's queue is in its own memory, and no thread waits for it");
    }

    private static PoolQueue known(
            ThreadSamples.Pool pool, double length, boolean atLeast, String from) {
        return queue(pool, Optional.of(length), atLeast, from);
    }

    private static PoolQueue unknown(ThreadSamples.Pool pool, String why) {
        return queue(pool, Optional.empty(), false, why);
    }

    private static PoolQueue queue(
            ThreadSamples.Pool pool, Optional<Double> length, boolean atLeast, String from) {
        return new PoolQueue(
                pool.name(),
                Kind.THREADS,
                Optional.of(pool.size()),
                Optional.of(pool.busy()),
                length,
                atLeast,
                from);
    }
}
