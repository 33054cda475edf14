package dev.jdyno.diagnose.wait;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Optional;

/// Calls that share connections (HTTP/2, gRPC) and of which only a fixed number is answered at a
/// time. The other side may limit the streams per connection, so the client keeps the other calls
/// waiting. A server with that number of threads looks the same from here.
///
/// @param connections number of connections that carry the calls
/// @param waiting number of threads that wait for an answer
/// @param served mean number of calls being answered, by Little's law: throughput · time of a call
///   at a low load
record StreamPlaces(double connections, double waiting, double served) {
    /// Minimum number of threads for a statement on what they wait for.
    private static final double SEVERAL = 4;

    /// Minimum mean number of calls per connection for a connection to carry several.
    private static final double SHARED = 1.5;

    /// Minimum number of waiting threads per call being answered for the threads to be in a queue.
    private static final double IN_LINE = 2;

    static Optional<StreamPlaces> of(Evidence evidence) {
        Optional<ThreadSamples> low = evidence.relaxed().filter(r -> r.qps() > 0);
        if (evidence.saturated().isEmpty() || low.isEmpty() || evidence.stillRises()) {
            return Optional.empty();
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        double connections =
                threadSamples.calls().stream()
                        .filter(c -> !c.database() && c.awaiting() > 0)
                        .mapToDouble(Calls::connections)
                        .sum();
        double callS = low.get().threads(Cause.DOWNSTREAM) / low.get().qps();
        var places =
                new StreamPlaces(
                        connections,
                        threadSamples.threads(Cause.DOWNSTREAM),
                        threadSamples.qps() * callS);
        return places.isQueue() ? Optional.of(places) : Optional.empty();
    }

    private boolean isQueue() {
        return connections > 0
                && waiting >= SEVERAL
                && served >= SHARED * connections
                && waiting >= IN_LINE * served;
    }
}
