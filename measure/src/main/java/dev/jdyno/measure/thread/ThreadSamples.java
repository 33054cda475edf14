package dev.jdyno.measure.thread;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Thread samples: the mean number of threads by pool and by state over the thread dumps of one
/// diagnostic window. Idle pool threads are counted only in their pool.
///
/// @param concurrency the load's concurrency in the window
/// @param qps throughput in the window
/// @param dumps number of thread dumps; with none, pools and threads in use are empty
/// @param longestPauseMs the longest stop of the target caused by jdyno's dumps
/// @param waitingSockets mean number of connections whose request no thread had read yet
/// @param listenQueue mean number of connections that were not accepted yet
/// @param calls the connections to other services, most calls first; empty when there are none or
///   the kernel did not report them
/// @param signals counters of the operating system and the JVM over the same window
/// @param queues the queue of each pool; empty if queues were not measured
/// @param limits configured limits of the layers on the path of a request; empty if none is known
public record ThreadSamples(
        int concurrency,
        double qps,
        int dumps,
        double longestPauseMs,
        List<Pool> pools,
        List<Busy> busy,
        double waitingSockets,
        double listenQueue,
        List<Calls> calls,
        Signals signals,
        List<PoolQueue> queues,
        List<LayerLimit> limits) {

    /// Maximum number of CPU places that are listed separately; the rest is one more place.
    public static final int CPU_PLACES = 10;

    /// Minimum mean number of threads at a place for a thread to be there nearly all the time.
    public static final double ONE_AT_A_TIME = 0.8;

    /// Maximum mean number of idle threads of a saturated pool, as a share of its threads.
    public static final double IDLE_SHARE = 0.05;

    /// Maximum mean number of idle threads of a small saturated pool. Each thread is idle for a
    /// moment between two requests. In a pool of few threads, this moment makes more than 5 % of
    /// them idle.
    private static final double IDLE_THREADS = 0.6;

    /// Threads with the same name, digits removed.
    ///
    /// @param minIdle the fewest idle threads in any dump
    /// @param serving whether this pool accepts requests (its threads were found serving)
    /// @param loop whether its threads are event loops, which must never wait
    /// @param cores CPU that its threads used, in cores
    /// @param doing activity of its threads in use: their mean number by cause, RUNNABLE ones as
    ///   `CPU`
    /// @param virtual whether all of them are virtual threads. There are as many of them as tasks,
    ///   so their number is not a pool size.
    public record Pool(
            String name,
            double size,
            double busy,
            double idle,
            int minIdle,
            boolean serving,
            boolean loop,
            double cores,
            Map<Cause, Double> doing,
            boolean virtual) {
        public Pool {
            doing = Map.copyOf(doing);
        }

        /// A pool of platform threads.
        public Pool(
                String name,
                double size,
                double busy,
                double idle,
                int minIdle,
                boolean serving,
                boolean loop,
                double cores,
                Map<Cause, Double> doing) {
            this(name, size, busy, idle, minIdle, serving, loop, cores, doing, false);
        }

        /// A pool with known sizes only.
        public Pool(
                String name, double size, double busy, double idle, int minIdle, boolean serving) {
            this(name, size, busy, idle, minIdle, serving, false, 0, Map.of());
        }

        /// The same pool with another number of threads in use; the others are idle.
        public Pool withBusy(double threads) {
            return new Pool(
                    name,
                    size,
                    threads,
                    Math.max(0, size - threads),
                    minIdle,
                    serving,
                    loop,
                    cores,
                    doing,
                    virtual);
        }

        public double doing(Cause cause) {
            return doing.getOrDefault(cause, 0.0);
        }

        /// True if the pool is saturated: its threads are idle only for the moment between two
        /// requests.
        public boolean isSaturated() {
            return idle <= Math.max(IDLE_THREADS, IDLE_SHARE * size);
        }
    }

    /// Mean number of the threads in use in one state at one place.
    ///
    /// @param place lock, host:port, pool or code
    /// @param holder the holder of the resource for which they wait; empty if none or unknown
    /// @param sites lines of one method from which they call; empty if all calls come from one
    ///   line, no line was found, or they do not wait for another service
    /// @param holderStack the holder's frames of the application, the innermost first; may be empty
    public record Busy(
            Cause cause,
            Place place,
            double threads,
            Optional<Holder> holder,
            Optional<CallSites> sites,
            List<SourceLine> holderStack) {
        public Busy {
            holderStack = List.copyOf(holderStack);
        }

        public Busy(Cause cause, Place place, double threads, Optional<Holder> holder) {
            this(cause, place, threads, holder, Optional.empty(), List.of());
        }

        public Busy(Cause cause, Place place, double threads) {
            this(cause, place, threads, Optional.empty());
        }

        /// The place as text.
        public String where() {
            return place.text();
        }

        /// True for a call for which no thread waits. A bean-style name would make it a key in
        /// JSON.
        public boolean async() {
            return holder.filter(Holder.AsyncClient.class::isInstance).isPresent();
        }

        /// The target's own address whose answer the threads wait for; empty if they wait for
        /// something else.
        public Optional<Place.Peer> ownPlace() {
            return place instanceof Place.Itself(Place.Peer at)
                    ? Optional.of(at)
                    : Optional.empty();
        }

        /// The other side of the connection on which the threads wait; empty if they wait for
        /// something else.
        public Optional<Place.Peer> peer() {
            return place instanceof Place.Peer p ? Optional.of(p) : Optional.empty();
        }

        /// The same threads, their number multiplied by `factor`.
        public Busy times(double factor) {
            return new Busy(cause, place, threads * factor, holder, sites, holderStack);
        }

        /// The same threads at another place.
        public Busy at(Cause newCause, Place newPlace) {
            return new Busy(newCause, newPlace, threads, holder, sites, holderStack);
        }
    }

    /// Thread samples without limits.
    public ThreadSamples(
            int concurrency,
            double qps,
            int dumps,
            double longestPauseMs,
            List<Pool> pools,
            List<Busy> busy,
            double waitingSockets,
            double listenQueue,
            List<Calls> calls,
            Signals signals,
            List<PoolQueue> queues) {
        this(
                concurrency,
                qps,
                dumps,
                longestPauseMs,
                pools,
                busy,
                waitingSockets,
                listenQueue,
                calls,
                signals,
                queues,
                List.of());
    }

    /// Thread samples without queues.
    public ThreadSamples(
            int concurrency,
            double qps,
            int dumps,
            double longestPauseMs,
            List<Pool> pools,
            List<Busy> busy,
            double waitingSockets,
            double listenQueue,
            List<Calls> calls,
            Signals signals) {
        this(
                concurrency,
                qps,
                dumps,
                longestPauseMs,
                pools,
                busy,
                waitingSockets,
                listenQueue,
                calls,
                signals,
                List.of());
    }

    /// Thread samples without counters.
    public ThreadSamples(
            int concurrency,
            double qps,
            int dumps,
            double longestPauseMs,
            List<Pool> pools,
            List<Busy> busy,
            double waitingSockets,
            double listenQueue) {
        this(
                concurrency,
                qps,
                dumps,
                longestPauseMs,
                pools,
                busy,
                waitingSockets,
                listenQueue,
                List.of(),
                Signals.NONE);
    }

    public ThreadSamples {
        pools = List.copyOf(pools);
        busy = List.copyOf(busy);
        calls = List.copyOf(calls);
        queues = List.copyOf(queues);
        limits = List.copyOf(limits);
    }

    /// Where the threads are in the code, and the open calls to other services.
    public ThreadPlaces places() {
        return new ThreadPlaces(pools, busy, calls);
    }

    public double threads(Cause cause) {
        return places().threads(cause);
    }

    /// Mean number of threads in use that do not wait for a pooled resource, so they probably hold
    /// one. Empty if no thread waits for such a resource, or if fewer than {@link #ONE_AT_A_TIME}
    /// other threads are in use.
    public Optional<Double> notWaitingForPool() {
        double waiting = threads(Cause.POOL);
        return Optional.of(busyThreads() - waiting)
                .filter(others -> waiting > 0 && others >= ONE_AT_A_TIME);
    }

    /// See {@link ThreadPlaces#likelyHolder}.
    public Optional<Holder> likelyHolder(Busy waits) {
        return places().likelyHolder(waits);
    }

    /// See {@link ThreadPlaces#topOtherCause}.
    public Optional<Busy> topOtherCause(Busy waits) {
        return places().topOtherCause(waits);
    }

    /// The queue for the threads of a pool; empty if it was not measured.
    public Optional<PoolQueue> queue(Pool pool) {
        return queues.stream()
                .filter(q -> q.kind() == PoolQueue.Kind.THREADS && q.pool().equals(pool.name()))
                .findFirst();
    }

    /// The queues for pooled resources, usually connections.
    public List<PoolQueue> lent() {
        return queues.stream().filter(q -> q.kind() == PoolQueue.Kind.LENT).toList();
    }

    /// The same threads, each place replaced by the result of `otherwise`, for the rules of a
    /// verdict.
    public ThreadSamples placed(UnaryOperator<Busy> otherwise) {
        return judgedAs(qps, busy.stream().map(otherwise).toList());
    }

    /// The same threads with the throughput of a round at the same load, for the rules of a
    /// verdict.
    public ThreadSamples atThroughput(double ofRound) {
        return judgedAs(ofRound, busy);
    }

    /// The same window with numbers of threads that are consistent with the other figures of its
    /// load.
    public ThreadSamples closed(List<Pool> closedPools, List<Busy> closedBusy) {
        return new ThreadSamples(
                concurrency,
                qps,
                dumps,
                longestPauseMs,
                closedPools,
                closedBusy,
                unread(closedPools),
                listenQueue,
                calls,
                signals,
                queues.stream().map(q -> inFlight(q, closedPools)).toList(),
                limits);
    }

    /// Limits the number of unread requests: it is at most the number of requests in flight without
    /// a thread. There is no limit if the service sends requests to itself, because such a request
    /// has a thread at both ends.
    private double unread(List<Pool> closedPools) {
        double inUse =
                closedPools.stream()
                        .filter(p -> p.serving() && !p.loop() && !p.virtual())
                        .mapToDouble(Pool::busy)
                        .max()
                        .orElse(0);
        return concurrency <= 0 || awaitingItself() > 0
                ? waitingSockets
                : Math.min(waitingSockets, Math.max(0, concurrency - inUse));
    }

    /// Limits the length of a thread pool's queue. At most the requests in flight that have no
    /// thread can wait for one.
    private PoolQueue inFlight(PoolQueue queue, List<Pool> closedPools) {
        return closedPools.stream()
                .filter(_ -> queue.kind() == PoolQueue.Kind.THREADS && concurrency > 0)
                .filter(p -> p.serving() && !p.loop() && p.name().equals(queue.pool()))
                .findFirst()
                .map(p ->
                        new PoolQueue(
                                queue.pool(),
                                queue.kind(),
                                queue.size(),
                                queue.busy().map(_ -> p.busy()),
                                queue.length()
                                        .map(n -> Math.min(n, Math.max(0, concurrency - p.busy()))),
                                queue.atLeast(),
                                queue.from()))
                .orElse(queue);
    }

    private ThreadSamples judgedAs(double otherQps, List<Busy> otherBusy) {
        return new ThreadSamples(
                concurrency,
                otherQps,
                dumps,
                longestPauseMs,
                pools,
                otherBusy,
                waitingSockets,
                listenQueue,
                calls,
                signals,
                queues,
                limits);
    }

    /// The same thread samples with each lock identified by its class and by the code that waits
    /// for it. The address of an object does not identify a lock in the next dump or in another
    /// run.
    public ThreadSamples withoutIds() {
        return placed(b -> b.at(b.cause(), b.place().withoutId()));
    }

    /// See {@link ThreadPlaces#callsOfNoThread()}.
    public List<Busy> callsOfNoThread() {
        return places().callsOfNoThread();
    }

    /// See {@link ThreadPlaces#requests()}.
    public ThreadPlaces requests() {
        return places().requests();
    }

    /// See {@link ThreadPlaces#awaitingItself()}.
    public double awaitingItself() {
        return places().awaitingItself();
    }

    /// See {@link ThreadPlaces#answersItself()}.
    public Optional<Pool> answersItself() {
        return places().answersItself();
    }

    /// The place where most threads in `cause` were found.
    public Optional<Busy> top(Cause cause) {
        return places().top(cause);
    }

    /// The mean number of threads found in `cause`, for each place in the code.
    public Map<Place, Double> byPlace(Cause cause) {
        return places().byPlace(cause);
    }

    /// Mean number of requests found in the service: a thread works on them, they wait for an open
    /// call, or no thread has read them.
    public double requestsFound() {
        return requests().busyThreads() + waitingSockets;
    }

    /// Cores that the threads of the pools used, compilers included, by the kernel's CPU clock.
    public double cores() {
        return pools.stream().mapToDouble(Pool::cores).sum();
    }

    public double busyThreads() {
        return places().busyThreads();
    }
}
