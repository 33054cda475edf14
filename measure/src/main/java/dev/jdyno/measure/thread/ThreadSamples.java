package dev.jdyno.measure.thread;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Who was where: the mean number of threads by pool and by state over the thread dumps of one
/// diagnostic window. Idle pool threads are counted in their pool and nowhere else.
///
/// @param concurrency the load's concurrency in the window
/// @param qps its throughput
/// @param dumps thread dumps taken; with none, pools and busy threads are empty, for nobody saw
///   them
/// @param longestPauseMs the longest stop of the target that a dump of ours caused
/// @param waitingSockets mean number of connections whose request no thread had read yet
/// @param listenQueue mean number of connections that nobody had accepted yet
/// @param calls the connections to other services, most calls first; empty when there are none or
///   the kernel did not tell
/// @param signals counters of the operating system and the JVM over the same window
/// @param queues how many wait for each pool; empty when nobody looked
/// @param limits what layers on the way of a request are set to let in; empty when none told
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

    /// Places of the CPU that are kept apart; what is left over is one more.
    public static final int CPU_PLACES = 10;

    /// Mean number of threads below which nobody is at a place at times.
    public static final double ONE_AT_A_TIME = 0.8;

    /// Times the threads in a state from which those in another are most of all.
    private static final double MOST = 2;

    /// Mean idle threads, as a share of the pool, up to which it counts as saturated.
    public static final double IDLE_SHARE = 0.05;

    /// Mean idle threads of a small pool that still count as none: a thread is idle for a moment
    /// between two requests, and of four threads that moment is more than 5 %.
    private static final double IDLE_THREADS = 0.6;

    /// Threads of one name without its digits.
    ///
    /// @param minIdle the fewest idle threads seen in any dump
    /// @param serving whether this pool takes requests in (threads of it were seen serving)
    /// @param loop whether its threads are event loops, which must never wait
    /// @param cores CPU that its threads used, in cores
    /// @param doing what its busy threads did: their mean number by cause, RUNNABLE ones as `CPU`
    /// @param virtual whether all of them are virtual threads, of which there are as many as tasks:
    ///   their number is no size
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

        /// A pool of which only the sizes are known.
        public Pool(
                String name, double size, double busy, double idle, int minIdle, boolean serving) {
            this(name, size, busy, idle, minIdle, serving, false, 0, Map.of());
        }

        public double doing(Cause cause) {
            return doing.getOrDefault(cause, 0.0);
        }

        /// Whether none of its threads is idle but for the moment between two requests.
        public boolean usedUp() {
            return idle <= Math.max(IDLE_THREADS, IDLE_SHARE * size);
        }
    }

    /// Mean number of busy threads in one state at one place.
    ///
    /// @param place lock, host:port, pool or code
    /// @param holder who has what they wait for; empty when there is none or unknown
    /// @param sites lines of one method from which they call; empty where all come from one line,
    ///   none was found, or they do not wait for another service
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

        /// Whether no thread makes this call; by a bean's name it would be a key in JSON.
        public boolean async() {
            return holder.filter(Holder.AsyncClient.class::isInstance).isPresent();
        }

        /// Where the target answers what it waits for; empty when it waits for something else.
        public Optional<Place.Peer> ownPlace() {
            return place instanceof Place.Itself(Place.Peer at)
                    ? Optional.of(at)
                    : Optional.empty();
        }

        /// The other side of the connection it waits for; empty when it waits for something else.
        public Optional<Place.Peer> peer() {
            return place instanceof Place.Peer p ? Optional.of(p) : Optional.empty();
        }

        /// The same threads at another place.
        public Busy at(Cause newCause, Place newPlace) {
            return new Busy(newCause, newPlace, threads, holder, sites, holderStack);
        }
    }

    /// A set of thread samples without limits.
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

    /// A set of thread samples without queues.
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

    /// A set of thread samples without counters.
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

    /// The same thread samples with the throughput that was measured around it.
    public ThreadSamples withQps(double measured) {
        return with(concurrency, measured, pools, busy, calls, signals, queues);
    }

    /// The same thread samples at a load that only they show.
    public ThreadSamples withConcurrency(int seen) {
        return with(seen, qps, pools, busy, calls, signals, queues);
    }

    public double threads(Cause cause) {
        return busy.stream().filter(b -> b.cause() == cause).mapToDouble(Busy::threads).sum();
    }

    /// Who has what `waits` waits for: nobody where a guess is of few beside what most others do.
    /// One thread is in the method that borrows a connection, nine hold theirs somewhere else.
    public Optional<Holder> likelyHolder(Busy waits) {
        Optional<Busy> most = mostBeside(waits);
        return waits.holder()
                .filter(h ->
                        waits.cause() != Cause.POOL
                                || !h.isGuess()
                                || most.isEmpty()
                                || most.get().threads() < MOST * threadsAs(h));
    }

    /// Where most of the threads are that do not wait for the same: one that is busy at times is
    /// none.
    public Optional<Busy> mostBeside(Busy waits) {
        return busy.stream()
                .filter(b -> b.cause() != waits.cause() && b.cause() != Cause.RUN_QUEUE)
                .max(Comparator.comparingDouble(Busy::threads))
                .filter(b -> b.threads() >= ONE_AT_A_TIME);
    }

    private double threadsAs(Holder holder) {
        return Stream.of(Cause.values()).filter(holder::isIn).mapToDouble(this::threads).sum();
    }

    /// The same thread samples with its threads at other places.
    public ThreadSamples withBusy(List<Busy> placed, List<Pool> reported) {
        return with(concurrency, qps, reported, placed, calls, signals, queues);
    }

    /// The same thread samples with each lock named by its class and by the code that waits for it.
    /// The address of an object names no lock in the next dump, and none in another run.
    public ThreadSamples withoutIds() {
        return withBusy(
                busy.stream().map(b -> b.at(b.cause(), b.place().withoutId())).toList(), pools);
    }

    public ThreadSamples withQueues(List<PoolQueue> seen) {
        return with(concurrency, qps, pools, busy, calls, signals, seen);
    }

    public ThreadSamples withLimits(List<LayerLimit> reported) {
        return new ThreadSamples(
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
                reported);
    }

    /// Who waits for the threads of a pool, where somebody looked.
    public Optional<PoolQueue> queue(Pool pool) {
        return queues.stream()
                .filter(q -> q.kind() == PoolQueue.Kind.THREADS && q.pool().equals(pool.name()))
                .findFirst();
    }

    /// The queues before what is lent, connections as a rule.
    public List<PoolQueue> lent() {
        return queues.stream().filter(q -> q.kind() == PoolQueue.Kind.LENT).toList();
    }

    public ThreadSamples withSignals(Signals seen) {
        return with(concurrency, qps, pools, busy, calls, seen, queues);
    }

    /// The same thread samples with these calls. Threads that wait for one of several services, it
    /// is not known which (another thread reads the answer), are divided as the calls are for which
    /// no other thread was found waiting.
    public ThreadSamples withCalls(List<Calls> seen) {
        List<Calls> free =
                seen.stream()
                        .filter(c -> !c.database())
                        .map(c ->
                                new Calls(
                                        c.peer(),
                                        c.connections(),
                                        c.awaiting() - waitingFor(c.peer()),
                                        c.opened()))
                        .filter(c -> c.awaiting() > 0)
                        .toList();
        double sum = free.stream().mapToDouble(Calls::awaiting).sum();
        List<Busy> placed = new ArrayList<>();
        for (Busy b : busy) {
            Optional<Place.Peer> oneOf =
                    b.peer().filter(p -> b.cause() == Cause.DOWNSTREAM && p.oneOfSeveral());
            if (oneOf.isEmpty() || free.isEmpty()) {
                placed.add(b);
                continue;
            }
            for (Calls c : free) {
                placed.add(
                        new Busy(
                                b.cause(),
                                oneOf.get().at(c.peer().addresses()),
                                b.threads() * c.awaiting() / sum,
                                b.holder()));
            }
        }
        placed.sort(Comparator.comparingDouble(Busy::threads).reversed());
        return with(concurrency, qps, pools, placed, seen, signals, queues);
    }

    private double waitingFor(Place.Peer place) {
        return busy.stream()
                .filter(b -> b.cause() == Cause.DOWNSTREAM)
                .filter(b -> b.peer().filter(p -> p.isAt(place)).isPresent())
                .mapToDouble(Busy::threads)
                .sum();
    }

    /// The same thread samples with its CPU divided among other places: from samples that were
    /// taken wherever threads ran, and not where they could be stopped.
    ///
    /// @param shares of the CPU by place; they add up to 1
    public ThreadSamples withWork(Map<Place, Double> shares) {
        double all = threads(Cause.CPU);
        List<Busy> divided = new ArrayList<>();
        shares.forEach((place, share) -> divided.add(new Busy(Cause.CPU, place, all * share)));
        busy.stream().filter(b -> b.cause() != Cause.CPU).forEach(divided::add);
        divided.sort(Comparator.comparingDouble(Busy::threads).reversed());
        return with(concurrency, qps, pools, divided, calls, signals, queues);
    }

    /// The calls to other services for which no thread waits, of asynchronous clients, each counted
    /// as a thread would be that waits for its answer. Where some of the calls have threads, those
    /// without are divided among the places as all are.
    public List<Busy> callsOfNoThread() {
        double awaiting = calls.stream().mapToDouble(Calls::awaiting).sum();
        double waiting =
                threads(Cause.DOWNSTREAM) + threads(Cause.DATABASE) + threads(Cause.FUTURE);
        return awaiting <= waiting
                ? List.of()
                : calls.stream()
                        .filter(c -> c.awaiting() > 0)
                        .map(c -> call(c, c.awaiting() * (1 - waiting / awaiting)))
                        .toList();
    }

    /// A call without a thread; to a database where threads were found in its driver at the same
    /// address.
    private Busy call(Calls to, double threads) {
        Optional<Place.Peer> driver =
                busy.stream()
                        .filter(b -> b.cause() == Cause.DATABASE)
                        .flatMap(b -> b.peer().filter(p -> p.isAt(to.peer())).stream())
                        .findFirst();
        return new Busy(
                to.database() || driver.isPresent() ? Cause.DATABASE : Cause.DOWNSTREAM,
                driver.orElse(to.peer()),
                threads);
    }

    /// The same thread samples with those calls among what is busy: then `busy` is where requests
    /// are, and no longer where threads are.
    public ThreadSamples withCallsOfNoThread() {
        List<Busy> all = new ArrayList<>(busy);
        all.addAll(callsOfNoThread());
        all.sort(Comparator.comparingDouble(Busy::threads).reversed());
        return with(concurrency, qps, pools, all, calls, signals, queues);
    }

    private ThreadSamples with(
            int newConcurrency,
            double newQps,
            List<Pool> newPools,
            List<Busy> newBusy,
            List<Calls> newCalls,
            Signals newSignals,
            List<PoolQueue> newQueues) {
        return new ThreadSamples(
                newConcurrency,
                newQps,
                dumps,
                longestPauseMs,
                newPools,
                newBusy,
                waitingSockets,
                listenQueue,
                newCalls,
                newSignals,
                newQueues,
                limits);
    }

    /// The mean number of threads that wait for requests which the target makes to itself: where
    /// those are is what counts.
    public double awaitingItself() {
        return busy.stream().filter(b -> b.ownPlace().isPresent()).mapToDouble(Busy::threads).sum();
    }

    /// The pool without an idle thread whose threads answer such requests: they wait for something
    /// else themselves.
    public Optional<Pool> answersItself() {
        return pools.stream()
                .filter(p -> p.serving() && !p.loop() && p.usedUp())
                .filter(p -> p.doing(Cause.FUTURE) * 2 < p.busy())
                .max(Comparator.comparingDouble(Pool::busy));
    }

    /// The place where most threads in `cause` were found.
    public Optional<Busy> top(Cause cause) {
        return busy.stream()
                .filter(b -> b.cause() == cause)
                .max(Comparator.comparingDouble(Busy::threads));
    }

    /// The mean number of threads found in `cause`, by place.
    public Map<Place, Double> byPlace(Cause cause) {
        Map<Place, Double> at = new LinkedHashMap<>();
        busy.stream()
                .filter(b -> b.cause() == cause)
                .forEach(b -> at.merge(b.place(), b.threads(), Double::sum));
        return at;
    }

    /// Mean number of requests found in the service: a thread works on them, a call is under way
    /// for them, or nobody has read them.
    public double requestsFound() {
        return withCallsOfNoThread().busyThreads() + waitingSockets;
    }

    /// Cores that its pools used by the kernel's clock, compilers among them.
    public double cores() {
        return pools.stream().mapToDouble(Pool::cores).sum();
    }

    public double busyThreads() {
        return busy.stream().mapToDouble(Busy::threads).sum();
    }
}
