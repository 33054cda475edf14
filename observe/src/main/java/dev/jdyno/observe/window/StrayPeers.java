package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.observe.stacks.ThreadActivity;
import dev.jdyno.observe.threads.SampledThread;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Removes peers that contradict their thread's stack (pure). The system call is read after the
/// dump, so a thread may have moved on to another call meanwhile. Of a hundred threads in a driver,
/// one occasionally appears to read from the service that its request calls next.
///
/// Two cases are corrected. First, a thread in a driver appears at an address that is no known
/// database of its kind, while more threads outside drivers appear there. Its peer becomes the
/// database of that kind, if there is only one. Second, a thread of another client appears at a
/// database, and threads with its stack had another peer more often. Its peer becomes unknown.
final class StrayPeers {
    private final List<Calls> databases;
    private final Map<String, Long> drivers;
    private final Map<String, Long> others;
    private final Map<List<String>, Map<String, Long>> byStack = new HashMap<>();

    private StrayPeers(List<List<SampledThread>> dumps, List<Calls> calls) {
        databases = calls.stream().filter(Calls::database).toList();
        drivers = at(dumps, s -> cause(s).filter(c -> c == Cause.DATABASE).isPresent());
        others = at(dumps, s -> cause(s).filter(c -> c == Cause.DATABASE).isEmpty());
        dumps.stream()
                .flatMap(List::stream)
                .forEach(s ->
                        s.peer()
                                .ifPresent(p ->
                                        byStack.computeIfAbsent(
                                                        s.thread().thread().frames(),
                                                        _ -> new HashMap<>())
                                                .merge(p, 1L, Long::sum)));
    }

    /// The dumps without contradicting peers. An unknown peer of a driver is filled in if only one
    /// is possible.
    ///
    /// @param calls the kernel's data on the target's calls
    static List<List<SampledThread>> corrected(List<List<SampledThread>> dumps, List<Calls> calls) {
        var stray = new StrayPeers(dumps, calls);
        return stray.databases.isEmpty()
                ? dumps
                : dumps.stream().map(d -> d.stream().map(stray::corrected).toList()).toList();
    }

    private static Map<String, Long> at(
            List<List<SampledThread>> dumps, Predicate<SampledThread> which) {
        return dumps.stream()
                .flatMap(List::stream)
                .filter(which)
                .flatMap(s -> s.peer().stream())
                .collect(Collectors.groupingBy(p -> p, Collectors.counting()));
    }

    private static Optional<Cause> cause(SampledThread seen) {
        return seen.thread().doing().filter(d -> d.call().isPresent()).map(ThreadActivity::cause);
    }

    private SampledThread corrected(SampledThread seen) {
        Optional<Cause> cause = cause(seen);
        if (cause.filter(c -> c == Cause.DATABASE).isPresent()) {
            Optional<String> driver =
                    seen.thread().doing().flatMap(ThreadActivity::call).flatMap(Place.Peer::client);
            Set<String> known = placesOf(driver);
            boolean stray =
                    seen.peer()
                            .filter(p -> !known.contains(p))
                            .filter(p -> others.getOrDefault(p, 0L) > drivers.getOrDefault(p, 0L))
                            .isPresent();
            return known.isEmpty() || (seen.peer().isPresent() && !stray)
                    ? seen
                    : at(
                            seen,
                            known.size() == 1
                                    ? Optional.of(known.iterator().next())
                                    : Optional.empty());
        }
        boolean stray =
                cause.filter(c -> c == Cause.DOWNSTREAM).isPresent()
                        && seen.peer()
                                .filter(p ->
                                        placesOf(Optional.empty()).contains(p) && !isUsual(seen, p))
                                .isPresent();
        return stray ? at(seen, Optional.empty()) : seen;
    }

    /// True if no other peer was found more often with the same stack.
    private boolean isUsual(SampledThread seen, String peer) {
        Map<String, Long> same = byStack.getOrDefault(seen.thread().thread().frames(), Map.of());
        long here = same.getOrDefault(peer, 0L);
        return same.values().stream().allMatch(n -> n <= here);
    }

    /// @param driver the database's name; empty for all databases
    private Set<String> placesOf(Optional<String> driver) {
        return databases.stream()
                .map(Calls::peer)
                .filter(p -> driver.isEmpty() || p.client().equals(driver))
                .flatMap(p -> p.address().stream())
                .collect(Collectors.toSet());
    }

    private static SampledThread at(SampledThread seen, Optional<String> peer) {
        return new SampledThread(seen.thread(), peer, seen.serverSide(), seen.weight());
    }
}
