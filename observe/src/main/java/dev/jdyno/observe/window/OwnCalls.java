package dev.jdyno.observe.window;

import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.observe.sockets.Sockets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Calls of the target to itself, over one of its own ports. A thread that waits for such an answer
/// waits for a task of the target if its own threads produce the answer. This is so if clients use
/// the same port. It is also so if a pool behind the port has no idle thread and waits for other
/// services in turn. Otherwise a separate service that shares the JVM (a stub, an embedded broker)
/// gives the answer, and it counts as another service.
final class OwnCalls {
    /// Causes of waits that show work for a request; during a sleep, for example, only time passes.
    private static final Set<Cause> IN_TURN = Set.of(Cause.DOWNSTREAM, Cause.DATABASE, Cause.DISK);

    /// For each host and port, whether other clients connect to it, too.
    private final Map<String, Boolean> itself = new HashMap<>();

    /// Adds one sample of the sockets.
    void add(Sockets sockets) {
        sockets.toItself()
                .forEach((place, shared) -> itself.merge(place, shared, Boolean::logicalOr));
    }

    /// Marks the target's calls to itself. To be called after the last sample of the sockets and
    /// the last dump.
    ///
    /// @param calls all calls that the target makes
    void markOwn(ThreadSampleTally tally, List<Calls> calls) {
        if (!itself.isEmpty()) {
            tally.callsItself(itself.keySet(), calls);
        }
    }

    /// Returns where the threads are, with the open calls to other services. Some calls of the
    /// target to itself count as calls to another service.
    ThreadPlaces applied(ThreadPlaces seen, List<Calls> calls) {
        if (itself.isEmpty()) {
            return ThreadPlaces.dividedByCalls(seen.pools(), seen.busy(), calls);
        }
        if (!itself.containsValue(true)
                && seen.answersItself().filter(OwnCalls::waitsInTurn).isEmpty()) {
            return asOthers(seen, calls);
        }
        return ThreadPlaces.dividedByCalls(
                seen.pools(),
                seen.busy(),
                calls.stream().filter(c -> !itself.containsKey(c.where())).toList());
    }

    private static boolean waitsInTurn(ThreadSamples.Pool pool) {
        return IN_TURN.stream().mapToDouble(pool::doing).sum() * 2 > pool.busy();
    }

    private static ThreadPlaces asOthers(ThreadPlaces seen, List<Calls> calls) {
        double futures = seen.threads(Cause.FUTURE);
        double moved = futures <= 0 ? 0 : seen.awaitingItself() / futures;
        List<ThreadSamples.Busy> busy = new ArrayList<>();
        for (ThreadSamples.Busy b : seen.busy()) {
            busy.add(b.ownPlace().map(place -> b.at(Cause.DOWNSTREAM, place)).orElse(b));
        }
        busy.sort(Comparator.comparingDouble(ThreadSamples.Busy::threads).reversed());
        return ThreadPlaces.dividedByCalls(
                seen.pools().stream().map(p -> AwaitedCalls.applied(p, moved, 0)).toList(),
                busy,
                calls);
    }
}
