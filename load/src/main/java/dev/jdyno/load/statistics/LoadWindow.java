package dev.jdyno.load.statistics;

import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// What one stretch of load gave. Windows of one session that follow each other add up with {@link
/// #plus}. The histograms are this window's own: do not change them.
///
/// @param startNanos when it began, on the session's clock
/// @param endNanos when it ended
/// @param lastReplyNanos when its last request ended; `startNanos` when none did
/// @param latencyNanos of good requests, from the *intended* start to the last byte (corrected)
/// @param serviceNanos of good requests, from the actual send to the last byte (uncorrected)
/// @param sendErrorNanos open model: actual send − intended start of arrivals that found a free
///   connection; empty in the closed model
/// @param connectNanos of connections made, from the start of the connect to its acceptance
/// @param handshakeNanos of their TLS handshakes, from the acceptance on
/// @param requests good ones: a whole reply, 2xx or 3xx, checks held
/// @param errorKinds all others that ended in this window, by kind
/// @param failures the errors that have a reason, by kind and reason, the most frequent first
/// @param statuses replies by status, good or not
/// @param bytesRead heads and bodies of replies
/// @param backlogged open model: arrivals that found no connection free and had to wait
/// @param backlogMost most that waited at a time in one event loop
/// @param named statistics of each named request of a workload; empty when there is one request
///   only
/// @param polls requests that only looked whether an effect is there; in no other count but
///   `statuses` and the bytes
/// @param detours what requests went through beside being sent and answered
/// @param inFlight requests out or waiting when the window ended; they end in a later window
/// @param reported what is different where a program of the user's sent the load and reports of it
/// @param replies when the parts of its good replies came, and the events of streams
public record LoadWindow(
        long startNanos,
        long endNanos,
        long lastReplyNanos,
        Histogram latencyNanos,
        Histogram serviceNanos,
        Histogram sendErrorNanos,
        Histogram connectNanos,
        Histogram handshakeNanos,
        long requests,
        Map<String, Long> errorKinds,
        List<FailureCount> failures,
        Map<Integer, Long> statuses,
        long bytesRead,
        long bytesWritten,
        long backlogged,
        int backlogMost,
        long inFlight,
        Map<String, NamedRequests> named,
        long polls,
        Detours detours,
        Connections connections,
        ClientUse use,
        Optional<Reported> reported,
        ReplyWindow replies) {

    /// @param open at the end of the window
    /// @param lost closed by the server while no request was out
    /// @param leastReplyNanos the fastest good reply since the session began, from its send: what
    ///   the server takes when nothing waits; 0 when there was none
    public record Connections(long open, long lost, long leastReplyNanos) {
        private static long least(Connections a, Connections b) {
            if (a.leastReplyNanos == 0 || b.leastReplyNanos == 0) {
                return Math.max(a.leastReplyNanos, b.leastReplyNanos);
            }
            return Math.min(a.leastReplyNanos, b.leastReplyNanos);
        }
    }

    /// The requests of one name.
    ///
    /// @param latencyNanos of the good ones, from the intended start
    public record NamedRequests(long requests, long errors, Histogram latencyNanos) {
        NamedRequests plus(NamedRequests other) {
            return new NamedRequests(
                    requests + other.requests,
                    errors + other.errors,
                    sum(latencyNanos, other.latencyNanos));
        }
    }

    /// Load of our own, of which no part of a reply is known.
    public LoadWindow(
            long startNanos,
            long endNanos,
            long lastReplyNanos,
            Histogram latencyNanos,
            Histogram serviceNanos,
            Histogram sendErrorNanos,
            Histogram connectNanos,
            Histogram handshakeNanos,
            long requests,
            Map<String, Long> errorKinds,
            List<FailureCount> failures,
            Map<Integer, Long> statuses,
            long bytesRead,
            long bytesWritten,
            long backlogged,
            int backlogMost,
            long inFlight,
            Map<String, NamedRequests> named,
            long polls,
            Detours detours,
            Connections connections,
            ClientUse use) {
        this(
                startNanos,
                endNanos,
                lastReplyNanos,
                latencyNanos,
                serviceNanos,
                sendErrorNanos,
                connectNanos,
                handshakeNanos,
                requests,
                errorKinds,
                failures,
                statuses,
                bytesRead,
                bytesWritten,
                backlogged,
                backlogMost,
                inFlight,
                named,
                polls,
                detours,
                connections,
                use,
                Optional.empty(),
                ReplyWindow.NONE);
    }

    public LoadWindow {
        errorKinds = Map.copyOf(errorKinds);
        failures = List.copyOf(failures);
        statuses = Map.copyOf(statuses);
        named = Map.copyOf(named);
    }

    /// This window and the one that follows it as one.
    public LoadWindow plus(LoadWindow next) {
        return new LoadWindow(
                Math.min(startNanos, next.startNanos),
                Math.max(endNanos, next.endNanos),
                Math.max(lastReplyNanos, next.lastReplyNanos),
                sum(latencyNanos, next.latencyNanos),
                sum(serviceNanos, next.serviceNanos),
                sum(sendErrorNanos, next.sendErrorNanos),
                sum(connectNanos, next.connectNanos),
                sum(handshakeNanos, next.handshakeNanos),
                requests + next.requests,
                sum(errorKinds, next.errorKinds),
                FailureCount.sum(failures, next.failures),
                sum(statuses, next.statuses),
                bytesRead + next.bytesRead,
                bytesWritten + next.bytesWritten,
                backlogged + next.backlogged,
                Math.max(backlogMost, next.backlogMost),
                next.inFlight,
                sumNamed(named, next.named),
                polls + next.polls,
                detours.plus(next.detours),
                new Connections(
                        next.connections.open,
                        connections.lost + next.connections.lost,
                        Connections.least(connections, next.connections)),
                use.followedBy(next.use),
                reported.isPresent() && next.reported.isPresent()
                        ? Optional.of(
                                reported.get().plus(requests, next.reported.get(), next.requests))
                        : reported.or(next::reported),
                replies.plus(next.replies));
    }

    /// Windows of several processes of this machine at the same time as one.
    public static LoadWindow together(List<LoadWindow> windows) {
        return windows.stream()
                .reduce((a, b) -> a.beside(b, a.plus(b), a.use.beside(b.use)))
                .orElseThrow();
    }

    /// Windows of several hosts at the same time as one. Their clocks count from other origins, so
    /// that it is said here when the window was.
    ///
    /// @param startNanos on the clock of the one that adds them up
    public static LoadWindow ofHosts(List<LoadWindow> windows, long startNanos, long endNanos) {
        return windows.stream()
                .map(w -> w.at(startNanos, endNanos, endNanos))
                .reduce((a, b) -> a.beside(b, a.plus(b), a.use.besideHost(b.use)))
                .orElseThrow();
    }

    private LoadWindow beside(LoadWindow other, LoadWindow sum, ClientUse both) {
        return new LoadWindow(
                sum.startNanos,
                sum.endNanos,
                sum.lastReplyNanos,
                sum.latencyNanos,
                sum.serviceNanos,
                sum.sendErrorNanos,
                sum.connectNanos,
                sum.handshakeNanos,
                sum.requests,
                sum.errorKinds,
                sum.failures,
                sum.statuses,
                sum.bytesRead,
                sum.bytesWritten,
                sum.backlogged,
                sum.backlogMost,
                inFlight + other.inFlight,
                sum.named,
                sum.polls,
                sum.detours,
                new Connections(
                        connections.open + other.connections.open,
                        sum.connections.lost,
                        sum.connections.leastReplyNanos),
                both,
                sum.reported,
                sum.replies);
    }

    private static Histogram sum(Histogram a, Histogram b) {
        Histogram s = a.copy();
        s.add(b);
        return s;
    }

    private static Map<String, NamedRequests> sumNamed(
            Map<String, NamedRequests> a, Map<String, NamedRequests> b) {
        Map<String, NamedRequests> s = new TreeMap<>(a);
        b.forEach((k, n) -> s.merge(k, n, NamedRequests::plus));
        return s;
    }

    private static <K extends Comparable<K>> Map<K, Long> sum(Map<K, Long> a, Map<K, Long> b) {
        Map<K, Long> s = new TreeMap<>(a);
        b.forEach((k, n) -> s.merge(k, n, Long::sum));
        return s;
    }

    /// The same, ended when its last request did: a counted run is over then, whenever it was
    /// noticed.
    public LoadWindow endingAtItsLastReply() {
        return at(startNanos, lastReplyNanos, lastReplyNanos);
    }

    private LoadWindow at(long start, long end, long lastReply) {
        return new LoadWindow(
                start,
                end,
                lastReply,
                latencyNanos,
                serviceNanos,
                sendErrorNanos,
                connectNanos,
                handshakeNanos,
                requests,
                errorKinds,
                failures,
                statuses,
                bytesRead,
                bytesWritten,
                backlogged,
                backlogMost,
                inFlight,
                named,
                polls,
                detours,
                connections,
                use,
                reported,
                replies);
    }

    /// Time in which its requests were counted; shorter than the window where pauses between the
    /// runs of a program lie in it.
    public double seconds() {
        return reported.map(Reported::nanos).orElse(endNanos - startNanos) / 1e9;
    }

    /// Whether requests were counted in it: of a run of a program that was ended early, none is.
    public boolean counted() {
        return reported.map(Reported::counted).orElse(true);
    }

    /// Replies that are redirects, followed or not.
    public long redirects() {
        return statuses.entrySet().stream()
                .filter(e -> Detours.isRedirect(e.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /// Good requests per second.
    public double qps() {
        return seconds() <= 0 ? 0 : requests / seconds();
    }

    /// Requests that did not count as good.
    public long errors() {
        return errorKinds.values().stream().mapToLong(n -> n).sum();
    }

    /// Corrected latency in ms.
    public Latency latency() {
        return reported.flatMap(Reported::latency).orElseGet(() -> Latency.of(latencyNanos));
    }

    /// Uncorrected latency in ms.
    public Latency service() {
        return Latency.of(serviceNanos);
    }

    /// Whether arrivals waited for a connection while the server answered at once: the client has
    /// too few of them.
    public boolean lacksConnections() {
        return SelfSuspicion.pool(this).isPresent();
    }

    /// What the load generator did to itself, and whether it was the limit.
    public ClientSide client() {
        return SelfSuspicion.judge(this);
    }
}
