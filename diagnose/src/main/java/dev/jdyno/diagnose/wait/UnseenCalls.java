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

/// Requests that wait while no thread stands for them (asynchronous clients): few are inside the
/// service, and throughput stands still with CPU to spare. Where they wait, the kernel tells: it
/// knows which connections await an answer. Where it was not asked, the number of connections has
/// to do, and response times must grow with the load.
///
/// @param inFlight requests
/// @param inside of these, in threads, sockets and queues of the service
/// @param qps at that load
/// @param calls under way to other services, most first; empty when only `most` is known
/// @param before the same well below that load
/// @param qpsBefore throughput there
/// @param most the place with the most connections and how many; its calls are not known
public record UnseenCalls(
        double inFlight,
        double inside,
        double qps,
        List<Calls> calls,
        List<Calls> before,
        double qpsBefore,
        Optional<Calls> most) {
    /// Share of the requests in flight that may have a thread, be unread or have an answer that
    /// their client has not taken: the others are outside of the service.
    static final double INSIDE_LIMIT = 0.3;

    /// One connection can carry many calls at once (HTTP/2); from two on it is a pool.
    public static final double POOL_FROM = 2;

    /// Growth of a place's time per request from which calls queue behind the connections.
    static final double QUEUES_THERE = 1.5;

    /// Share of the requests in flight whose calls are under way, from which calls are what they
    /// are at.
    static final double CALLED = 0.5;

    /// Share of the calls for which no thread may wait, from which they are an asynchronous
    /// client's: a thread is counted a moment after the calls are.
    static final double OF_NO_THREAD = 0.3;

    static Optional<UnseenCalls> of(Evidence evidence) {
        if (evidence.saturated().isEmpty()) {
            return Optional.empty();
        }
        ThreadSamples census = evidence.saturated().get();
        double inside =
                census.busyThreads()
                        + census.waitingSockets()
                        + census.listenQueue()
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
                census.calls().isEmpty() ? queues && most.isPresent() : areOfNoThread(census);
        return inside > INSIDE_LIMIT * census.concurrency()
                        || evidence.cpuIsShort()
                        || evidence.stillRises()
                        || !isKnown
                ? Optional.empty()
                : Optional.of(
                        new UnseenCalls(
                                census.concurrency(),
                                inside,
                                census.qps(),
                                census.calls(),
                                evidence.relaxed().map(ThreadSamples::calls).orElse(List.of()),
                                evidence.relaxed().map(ThreadSamples::qps).orElse(0.0),
                                most));
    }

    private static boolean areOfNoThread(ThreadSamples census) {
        double all = census.calls().stream().mapToDouble(Calls::awaiting).sum();
        double ofNoThread =
                census.callsOfNoThread().stream().mapToDouble(ThreadSamples.Busy::threads).sum();
        return ofNoThread >= OF_NO_THREAD * all;
    }

    /// Whether the kernel told which connections await an answer.
    boolean seen() {
        return !calls.isEmpty();
    }

    /// Requests that are neither inside the service nor at a call.
    double missing() {
        return Math.max(0, inFlight - inside - awaiting());
    }

    double awaiting() {
        return calls.stream().mapToDouble(Calls::awaiting).sum();
    }

    /// The pool of connections that all are in use while requests wait for one, and not for an
    /// answer.
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

    /// The service that the calls are at.
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

    /// How much longer a request is at that place than at the lower load; empty when that is not
    /// known, or the place was hardly called there.
    Optional<Double> growth(Calls c) {
        return before.stream()
                .filter(b -> b.peer().equals(c.peer()) && b.awaiting() > 0 && qpsBefore > 0)
                .map(b -> c.awaiting() / qps / (b.awaiting() / qpsBefore))
                .findFirst();
    }
}
