package dev.jdyno.diagnose.wait;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Optional;

/// Calls that share connections (HTTP/2, gRPC) and of which only so many are answered at a time:
/// the other side may allow so many streams for each connection, and the client keeps the others
/// waiting. A server with so many threads looks the same from here.
///
/// @param connections that carry the calls
/// @param waiting threads that wait for an answer
/// @param served calls that are under way at a time, by Little's law: throughput · the time of a
///   call at a low load
record StreamPlaces(double connections, double waiting, double served) {
    /// Threads below which nothing is said of what they wait for.
    private static final double SEVERAL = 4;

    /// Calls on each connection at a time, from which a connection carries several.
    private static final double SHARED = 1.5;

    /// Threads that wait for each call that is under way, from which they are in line for it.
    private static final double IN_LINE = 2;

    static Optional<StreamPlaces> of(Evidence evidence) {
        Optional<ThreadSamples> low = evidence.relaxed().filter(r -> r.qps() > 0);
        if (evidence.saturated().isEmpty() || low.isEmpty() || evidence.stillRises()) {
            return Optional.empty();
        }
        ThreadSamples census = evidence.saturated().get();
        double connections =
                census.calls().stream()
                        .filter(c -> !c.database() && c.awaiting() > 0)
                        .mapToDouble(Calls::connections)
                        .sum();
        double callS = low.get().threads(Cause.DOWNSTREAM) / low.get().qps();
        var places =
                new StreamPlaces(
                        connections, census.threads(Cause.DOWNSTREAM), census.qps() * callS);
        return places.isQueue() ? Optional.of(places) : Optional.empty();
    }

    private boolean isQueue() {
        return connections > 0
                && waiting >= SEVERAL
                && served >= SHARED * connections
                && waiting >= IN_LINE * served;
    }
}
