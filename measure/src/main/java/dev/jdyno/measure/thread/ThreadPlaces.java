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

/// Where threads are, and which calls to other services are under way: the part of thread samples
/// that the dumps and the sockets of one window give together.
public record ThreadPlaces(List<Pool> pools, List<Busy> busy, List<Calls> calls) {
    /// Times the threads in a state from which those in another are most of all.
    private static final double MOST = 2;

    public ThreadPlaces {
        pools = List.copyOf(pools);
        busy = List.copyOf(busy);
        calls = List.copyOf(calls);
    }

    /// With these calls. Threads that wait for one of several services, it is not known which
    /// (another thread reads the answer), are divided as the calls are for which no other thread
    /// was found waiting.
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

    /// With the CPU divided among other places: from samples that were taken wherever threads ran,
    /// and not where they could be stopped.
    ///
    /// @param shares of the CPU by place; they add up to 1
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

    /// The place where most threads in `cause` were found.
    public Optional<Busy> top(Cause cause) {
        return busy.stream()
                .filter(b -> b.cause() == cause)
                .max(Comparator.comparingDouble(Busy::threads));
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

    /// Where requests are and no longer where threads are: with those calls among what is busy.
    public ThreadPlaces requests() {
        List<Busy> all = new ArrayList<>(busy);
        all.addAll(callsOfNoThread());
        all.sort(Comparator.comparingDouble(Busy::threads).reversed());
        return new ThreadPlaces(pools, all, calls);
    }

    /// Who has what `waits` waits for; empty where the guess is of few threads and most others do
    /// something else: one thread is in the method that borrows a connection, nine hold theirs
    /// somewhere else.
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
                .filter(b -> b.threads() >= ThreadSamples.ONE_AT_A_TIME);
    }

    private double threadsAs(Holder holder) {
        return Stream.of(Cause.values()).filter(holder::isIn).mapToDouble(this::threads).sum();
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
}
