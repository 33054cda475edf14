package dev.jdyno.diagnose.wait;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.Optional;

/// Calls that share connections (HTTP/2, gRPC) and of which only a fixed number is answered at the
/// same time. A possible reason is a limit on the streams per connection, so that the client delays
/// the other calls. A server with that number of threads has the same figures.
///
/// @param connections number of connections that carry the calls
/// @param waiting number of threads that wait for an answer
/// @param served mean number of calls being answered, by Little's law: throughput · time of a call
///   at a low load
record StreamPlaces(double connections, double waiting, double served) {
    /// Minimum number of waiting threads for a statement about them.
    private static final double SEVERAL = 4;

    /// Minimum mean number of calls per connection at which a connection carries several calls at
    /// once.
    private static final double SHARED = 1.5;

    /// Minimum ratio of waiting threads to calls being answered at which the threads are in a
    /// queue.
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
