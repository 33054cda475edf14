package dev.jdyno.diagnose;

import dev.jdyno.measure.Census;
import dev.jdyno.measure.Signals.Sign;
import java.util.Optional;

/// Requests that wait for another service while no thread stands for them (asynchronous clients):
/// few are inside the service, throughput stands still with CPU to spare, and response times grow
/// with the load.
///
/// @param inFlight requests
/// @param inside of these, in threads, sockets and queues of the service
/// @param connections that the service holds to the place it has most of them to
/// @param where that place
record UnseenCalls(double inFlight, double inside, double connections, String where) {
    /// Share of the requests in flight that may have a thread, be unread or have an answer that
    /// their client has not taken: the others are outside of the service.
    static final double INSIDE_LIMIT = 0.3;

    /// Connections for each request in flight.
    double connected() {
        return connections / inFlight;
    }

    static Optional<UnseenCalls> of(Evidence evidence) {
        Optional<Double> connections = evidence.sign(Sign.DOWNSTREAM_CONNECTIONS);
        if (evidence.saturated().isEmpty() || connections.isEmpty()) {
            return Optional.empty();
        }
        Census census = evidence.saturated().get();
        double inside =
                census.busyThreads()
                        + census.waitingSockets()
                        + census.listenQueue()
                        + evidence.sign(Sign.UNSENT_SOCKETS).orElse(0.0);
        boolean queues =
                evidence.medianGrowth().filter(g -> g >= WaitRule.MEDIAN_QUEUES_FROM).isPresent();
        return inside > INSIDE_LIMIT * census.concurrency()
                        || evidence.cpuIsShort()
                        || evidence.stillRises()
                        || !queues
                ? Optional.empty()
                : Optional.of(
                        new UnseenCalls(
                                census.concurrency(),
                                inside,
                                connections.get(),
                                evidence.place(Sign.DOWNSTREAM_CONNECTIONS).orElse("")));
    }
}
