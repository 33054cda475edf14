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

/// Where the threads are in the code, and the open calls to other services. This part of the thread
/// samples comes from the dumps and the sockets of one window.
public record ThreadPlaces(List<Pool> pools, List<Busy> busy, List<Calls> calls) {
    /// Minimum ratio of threads at another place to threads in the state of the guessed holder.
    /// From it on, the guess is rejected.
    private static final double MIN_RATIO = 2;

    public ThreadPlaces {
        pools = List.copyOf(pools);
        busy = List.copyOf(busy);
        calls = List.copyOf(calls);
    }

    /// Combines threads and calls. Some threads wait for one of several services, and it is unknown
    /// which, because another thread reads the answer. These threads are divided among the services
    /// in proportion to the open calls without another waiting thread.
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

    /// Returns the same result, but with the threads on the CPU divided among the places by these
    /// shares. The shares come from samples that the JVM can take at any instruction, not only at
    /// safepoints.
    ///
    /// @param shares share of the CPU time at each place; they add up to 1
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

    /// The mean number of threads found in `cause`, for each place in the code.
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
    /// counts like a thread that waits for its answer. The number of calls is that of all calls
    /// minus the threads that wait for answers. It is divided among the services in proportion to
    /// all their calls.
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

    /// Returns where requests are instead of threads: the busy threads, and the calls without a
    /// thread.
    public ThreadPlaces requests() {
        List<Busy> all = new ArrayList<>(busy);
        all.addAll(callsOfNoThread());
        all.sort(Comparator.comparingDouble(Busy::threads).reversed());
        return new ThreadPlaces(pools, all, calls);
    }

    /// The likely holder of the resource for which the threads in `waits` wait. For a pool, it is
    /// empty if the holder is a guess from few threads and most other threads do something else.
    /// Example: one thread is in the method that borrows a connection, and nine threads hold a
    /// connection in other code.
    public Optional<Holder> likelyHolder(Busy waits) {
        Optional<Busy> mostFrequent = topOtherCause(waits);
        return waits.holder()
                .filter(h ->
                        waits.cause() != Cause.POOL
                                || !h.isGuess()
                                || mostFrequent.isEmpty()
                                || mostFrequent.get().threads() < MIN_RATIO * threadsAs(h));
    }

    /// The place with the most threads, without threads that have the cause of `waits` or wait for
    /// a core. Empty if the place has fewer than {@link ThreadSamples#ONE_AT_A_TIME} threads on
    /// average.
    public Optional<Busy> topOtherCause(Busy waits) {
        return busy.stream()
                .filter(b -> b.cause() != waits.cause() && b.cause() != Cause.RUN_QUEUE)
                .max(Comparator.comparingDouble(Busy::threads))
                .filter(b -> b.threads() >= ThreadSamples.ONE_AT_A_TIME);
    }

    private double threadsAs(Holder holder) {
        return Stream.of(Cause.values()).filter(holder::isIn).mapToDouble(this::threads).sum();
    }

    /// Mean number of threads that wait for an answer of the target itself. The time of such a
    /// request is counted where the target produces the answer.
    public double awaitingItself() {
        return busy.stream().filter(b -> b.ownPlace().isPresent()).mapToDouble(Busy::threads).sum();
    }

    /// The saturated pool whose threads answer the requests that the target sends to itself. Most
    /// of its busy threads do not wait for a future.
    public Optional<Pool> answersItself() {
        return pools.stream()
                .filter(p -> p.serving() && !p.loop() && p.isSaturated())
                .filter(p -> p.doing(Cause.FUTURE) * 2 < p.busy())
                .max(Comparator.comparingDouble(Pool::busy));
    }
}
