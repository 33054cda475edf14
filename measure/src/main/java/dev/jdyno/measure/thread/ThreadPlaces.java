package dev.jdyno.measure.thread;

import dev.jdyno.measure.thread.ThreadSamples.Busy;
import dev.jdyno.measure.thread.ThreadSamples.Pool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Places of threads, and calls under way to other services: the part of thread samples that comes
/// from the dumps and the sockets of one window.
public record ThreadPlaces(List<Pool> pools, List<Busy> busy, List<Calls> calls) {
    /// Minimum ratio of threads at another place to threads in the holder's state for the other
    /// place to have most threads.
    private static final double MIN_RATIO = 2;

    public ThreadPlaces {
        pools = List.copyOf(pools);
        busy = List.copyOf(busy);
        calls = List.copyOf(calls);
    }

    /// Combines threads and calls. Some threads wait for one of several services, and it is unknown
    /// which, because another thread reads the answer. These threads are divided among the services
    /// in proportion to the calls for which no other thread was found waiting.
    public static ThreadPlaces dividedByCalls(
            List<Pool> pools, List<Busy> seen, List<Calls> calls) {
        List<Calls> free =
                calls.stream()
                        .filter(c -> !c.database())
                        .map(c ->
                                new Calls(
                                        c.peer(),
                                        c.connections(),
                                        c.awaiting() - waitingFor(c.peer(), seen),
                                        c.opened()))
                        .filter(c -> c.awaiting() > 0)
                        .toList();
        double sum = free.stream().mapToDouble(Calls::awaiting).sum();
        List<Busy> placed = new ArrayList<>();
        for (Busy b : seen) {
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
        return new ThreadPlaces(pools, placed, calls);
    }

    private static double waitingFor(Place.Peer place, List<Busy> seen) {
        return seen.stream()
                .filter(b -> b.cause() == Cause.DOWNSTREAM)
                .filter(b -> b.peer().filter(p -> p.isAt(place)).isPresent())
                .mapToDouble(Busy::threads)
                .sum();
    }

    /// The same places with the CPU divided among other code. The shares come from samples taken
    /// wherever threads ran, not only where the JVM could stop them.
    ///
    /// @param shares shares of the CPU by place; they add up to 1
    public ThreadPlaces dividedByWork(Map<Place, Double> shares) {
        double all = threads(Cause.CPU);
        List<Busy> divided = new ArrayList<>();
        shares.forEach((place, share) -> divided.add(new Busy(Cause.CPU, place, all * share)));
        busy.stream().filter(b -> b.cause() != Cause.CPU).forEach(divided::add);
        divided.sort(Comparator.comparingDouble(Busy::threads).reversed());
        return new ThreadPlaces(pools, divided, calls);
    }

    public double threads(Cause cause) {
        return busy.stream().filter(b -> b.cause() == cause).mapToDouble(Busy::threads).sum();
    }

    public double busyThreads() {
        return busy.stream().mapToDouble(Busy::threads).sum();
    }

    /// The mean number of threads found in `cause`, by place.
    public Map<Place, Double> byPlace(Cause cause) {
        Map<Place, Double> at = new LinkedHashMap<>();
        busy.stream()
                .filter(b -> b.cause() == cause)
                .forEach(b -> at.merge(b.place(), b.threads(), Double::sum));
        return at;
    }

    /// The place with the most threads in `cause`.
    public Optional<Busy> top(Cause cause) {
        return busy.stream()
                .filter(b -> b.cause() == cause)
                .max(Comparator.comparingDouble(Busy::threads));
    }

    /// The calls of asynchronous clients to other services, for which no thread waits. Each call
    /// counts like a thread that waits for its answer. If threads wait for some of the calls, the
    /// rest is divided among the places in proportion to all calls.
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

    /// A call without a thread. It is a call to a database if threads were found in a database
    /// driver at the same address.
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

    /// The places of requests instead of threads: the busy threads and the calls without a thread.
    public ThreadPlaces requests() {
        List<Busy> all = new ArrayList<>(busy);
        all.addAll(callsOfNoThread());
        all.sort(Comparator.comparingDouble(Busy::threads).reversed());
        return new ThreadPlaces(pools, all, calls);
    }

    /// The likely holder of the resource for which `waits` waits. For a pool, it is empty if the
    /// holder is a guess from few threads and most others do something else. Example: one thread is
    /// in the method that borrows a connection, and nine hold theirs somewhere else.
    public Optional<Holder> likelyHolder(Busy waits) {
        Optional<Busy> mostFrequent = topOtherCause(waits);
        return waits.holder()
                .filter(h ->
                        waits.cause() != Cause.POOL
                                || !h.isGuess()
                                || mostFrequent.isEmpty()
                                || mostFrequent.get().threads() < MIN_RATIO * threadsAs(h));
    }

    /// The place with most threads that have another cause than `waits` and do not wait for a core.
    /// Empty if fewer than {@link ThreadSamples#ONE_AT_A_TIME} threads are there on average.
    public Optional<Busy> topOtherCause(Busy waits) {
        return busy.stream()
                .filter(b -> b.cause() != waits.cause() && b.cause() != Cause.RUN_QUEUE)
                .max(Comparator.comparingDouble(Busy::threads))
                .filter(b -> b.threads() >= ThreadSamples.ONE_AT_A_TIME);
    }

    private double threadsAs(Holder holder) {
        return Stream.of(Cause.values()).filter(holder::isIn).mapToDouble(this::threads).sum();
    }

    /// Mean number of threads that wait for requests of the target to itself. Such a request is
    /// counted where its answer is produced.
    public double awaitingItself() {
        return busy.stream().filter(b -> b.ownPlace().isPresent()).mapToDouble(Busy::threads).sum();
    }

    /// The saturated pool whose threads answer requests of the target to itself. Most of its busy
    /// threads wait for something else than such answers.
    public Optional<Pool> answersItself() {
        return pools.stream()
                .filter(p -> p.serving() && !p.loop() && p.isSaturated())
                .filter(p -> p.doing(Cause.FUTURE) * 2 < p.busy())
                .max(Comparator.comparingDouble(Pool::busy));
    }
}
