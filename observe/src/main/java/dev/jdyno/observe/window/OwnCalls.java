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

/// Calls of the target to itself, over a port of its own. Who waits for such an answer waits for a
/// task of the target, where its own threads bring that answer: clients come to the same port, or a
/// pool behind it has no idle thread and waits for others in turn. Else what answers is a service
/// of its own that happens to share the JVM (a stub, an embedded broker), and stays one.
final class OwnCalls {
    /// What threads wait for that work for a request and do not only let time go by.
    private static final Set<Cause> IN_TURN = Set.of(Cause.DOWNSTREAM, Cause.DATABASE, Cause.DISK);

    /// Whether others connect there as well, by host and port.
    private final Map<String, Boolean> itself = new HashMap<>();

    /// One look.
    void add(Sockets sockets) {
        sockets.toItself()
                .forEach((place, shared) -> itself.merge(place, shared, Boolean::logicalOr));
    }

    /// After the last look and the last dump.
    ///
    /// @param calls all that the target makes
    void markOwn(ThreadSampleTally tally, List<Calls> calls) {
        if (!itself.isEmpty()) {
            tally.callsItself(itself.keySet(), calls);
        }
    }

    /// Where threads are, with the calls to others, and those to itself that are as good as such.
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
