package dev.jdyno.diagnose.wait;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Waiting;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Optional;

/// Requests that wait without a thread (asynchronous clients). Few of them are inside the service,
/// and throughput does not grow although CPU is free. The kernel's list of connections that await
/// an answer shows where they wait. Without this list, only the number of connections is used, and
/// response times must grow with the load.
///
/// @param inFlight number of requests in flight
/// @param inside number of requests in threads, sockets and queues of the service
/// @param qps throughput at this load
/// @param calls open calls by service, the service with most calls first; empty if only `most` is
///   known
/// @param before the open calls well below this load
/// @param qpsBefore throughput well below this load
/// @param most the place with most connections, and their number; it is unknown which of them await
///   an answer
public record UnseenCalls(
        double inFlight,
        double inside,
        double qps,
        List<Calls> calls,
        List<Calls> before,
        double qpsBefore,
        Optional<Calls> most) {
    /// Maximum share of the requests in flight that are inside the service: with a thread, unread,
    /// or with an answer that the client has not read.
    static final double INSIDE_LIMIT = 0.3;

    /// Minimum number of connections for a pool. One connection can carry many calls at once
    /// (HTTP/2).
    public static final double POOL_FROM = 2;

    /// Minimum growth of a place's time per request at which calls queue there.
    static final double QUEUES_THERE = 1.5;

    /// Minimum share of the requests in flight with an open call, at which requests wait for calls.
    static final double CALLED = 0.5;

    /// Minimum share of the calls without a waiting thread, at which the calls are made by an
    /// asynchronous client. It is above 0 because threads and calls are counted at different
    /// moments.
    static final double OF_NO_THREAD = 0.3;

    static Optional<UnseenCalls> of(Evidence evidence) {
        if (evidence.saturated().isEmpty()) {
            return Optional.empty();
        }
        ThreadSamples threadSamples = evidence.saturated().get();
        double inside =
                threadSamples.busyThreads()
                        + threadSamples.waitingSockets()
                        + threadSamples.listenQueue()
                        + evidence.sign(Sign.UNSENT_SOCKETS).orElse(0.0);
        Optional<Calls> most =
                evidence.sign(Sign.DOWNSTREAM_CONNECTIONS)
                        .map(n ->
                                new Calls(
                                        new Place.Peer(
                                                Optional.empty(),
                                                evidence.place(Sign.DOWNSTREAM_CONNECTIONS)
                                                        .map(List::of)
                                                        .orElseGet(List::of)),
                                        n,
                                        0,
                                        n.intValue()));
        boolean queues =
                evidence.medianGrowth().filter(g -> g >= Waiting.MEDIAN_QUEUES_FROM).isPresent();
        boolean isKnown =
                threadSamples.calls().isEmpty()
                        ? queues && most.isPresent()
                        : areOfNoThread(threadSamples);
        return inside > INSIDE_LIMIT * threadSamples.concurrency()
                        || evidence.cpuIsShort()
                        || evidence.stillRises()
                        || !isKnown
                ? Optional.empty()
                : Optional.of(
                        new UnseenCalls(
                                threadSamples.concurrency(),
                                inside,
                                threadSamples.qps(),
                                threadSamples.calls(),
                                evidence.relaxed().map(ThreadSamples::calls).orElse(List.of()),
                                evidence.relaxed().map(ThreadSamples::qps).orElse(0.0),
                                most));
    }

    private static boolean areOfNoThread(ThreadSamples threadSamples) {
        double all = threadSamples.calls().stream().mapToDouble(Calls::awaiting).sum();
        double ofNoThread =
                threadSamples.callsOfNoThread().stream()
                        .mapToDouble(ThreadSamples.Busy::threads)
                        .sum();
        return ofNoThread >= OF_NO_THREAD * all;
    }

    /// True if the kernel reported which connections await an answer.
    boolean seen() {
        return !calls.isEmpty();
    }

    /// Returns the number of requests that are neither inside the service nor at a call.
    double missing() {
        return Math.max(0, inFlight - inside - awaiting());
    }

    double awaiting() {
        return calls.stream().mapToDouble(Calls::awaiting).sum();
    }

    /// Returns the connections of a pool: all of them are in use, and further requests wait for a
    /// connection.
    Optional<Calls> pool() {
        if (!seen()) {
            return most.filter(this::areFew);
        }
        return missing() < Evidence.QUEUED * inFlight
                ? Optional.empty()
                : calls.stream()
                        .filter(c -> areFew(c) && c.inUse() >= Limits.ALL_IN_USE)
                        .filter(SiteLines::areKept)
                        .filter(c -> growth(c).filter(g -> g >= QUEUES_THERE).isEmpty())
                        .findFirst();
    }

    /// Returns the service for which the requests wait, if it can be identified.
    Optional<Calls> downstream() {
        if (!seen()) {
            return most.filter(c -> !areFewFor(c, inFlight));
        }
        return awaiting() >= CALLED * inFlight
                ? Optional.of(calls.getFirst())
                : calls.stream()
                        .filter(c -> c.inUse() >= Limits.ALL_IN_USE)
                        .filter(c -> growth(c).filter(g -> g >= QUEUES_THERE).isPresent())
                        .findFirst();
    }

    private boolean areFew(Calls c) {
        return c.connections() >= POOL_FROM && areFewFor(c, inFlight);
    }

    private static boolean areFewFor(Calls c, double inFlight) {
        return c.connections() <= Limits.FEW_CONNECTIONS * inFlight;
    }

    /// Returns the time of a request at that place ÷ the time at the lower load. Empty if it is
    /// unknown, or if the place was rarely called at the lower load.
    Optional<Double> growth(Calls c) {
        return before.stream()
                .filter(b -> b.peer().equals(c.peer()) && b.awaiting() > 0 && qpsBefore > 0)
                .map(b -> c.awaiting() / qps / (b.awaiting() / qpsBefore))
                .findFirst();
    }
}
