package dev.jdyno.load.statistics;

import dev.jdyno.measure.load.ClientSide;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// The measurements of one window of load. Successive windows of one session add up with {@link
/// #plus}. The histograms belong to this window: do not change them.
///
/// @param startNanos start of the window, on the session's clock
/// @param endNanos end of the window
/// @param lastReplyNanos end of its last request; `startNanos` if none ended
/// @param latencyNanos latency of good requests, from the *intended* start to the last byte
///   (corrected)
/// @param serviceNanos latency of good requests, from the actual send to the last byte
///   (uncorrected)
/// @param sendErrorNanos open model: actual send − intended start of arrivals that found a free
///   connection; empty in the closed model
/// @param connectNanos times from the start of a connect to its acceptance
/// @param handshakeNanos times of the TLS handshakes, from the acceptance
/// @param requests number of good requests: complete reply, status 2xx or 3xx, all checks passed
/// @param errorKinds number of all other requests that ended in this window, by kind
/// @param failures errors with a reason, by kind and reason, the most frequent first
/// @param statuses number of replies by status, good or not
/// @param bytesRead bytes of the heads and bodies of replies
/// @param backlogged open model: number of arrivals that found no free connection and had to wait
/// @param backlogMost maximum number of arrivals that waited at a time in one event loop
/// @param named statistics of each named request of a workload; empty if there is only one request
/// @param polls number of requests that only checked for an effect; of all other counts, only
///   `statuses` and the bytes include them
/// @param detours additional steps of requests, such as repeated sends and redirects
/// @param inFlight number of requests in flight or waiting at the end; they end in a later window
/// @param reported what a program of the user reported, if it sent the load
/// @param replies times of the parts of good replies, and events of streams
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

    /// @param open connections open at the end of the window
    /// @param lost connections that the server closed without a request in flight
    /// @param leastReplyNanos the fastest good reply since the session began, from its send: the
    ///   time that the server needs without queueing; 0 if there was none
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
    /// @param latencyNanos latency of the good ones, from the intended start
    public record NamedRequests(long requests, long errors, Histogram latencyNanos) {
        NamedRequests plus(NamedRequests other) {
            return new NamedRequests(
                    requests + other.requests,
                    errors + other.errors,
                    sum(latencyNanos, other.latencyNanos));
        }
    }

    /// A window of jdyno's own load without times of the parts of replies.
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

    /// Returns the sum of this window and the next window.
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

    /// The sum of simultaneous windows of several processes of this machine.
    public static LoadWindow together(List<LoadWindow> windows) {
        return windows.stream()
                .reduce((a, b) -> a.beside(b, a.plus(b), a.use.beside(b.use)))
                .orElseThrow();
    }

    /// The sum of simultaneous windows of several hosts. Their clocks have different origins, so
    /// the caller gives the time of the window.
    ///
    /// @param startNanos start on the caller's clock
    public static LoadWindow ofHosts(List<LoadWindow> windows, long startNanos, long endNanos) {
        return windows.stream()
                .map(w -> w.at(startNanos, endNanos, endNanos))
                .reduce((a, b) -> a.beside(b, a.plus(b), a.use.plusHost(b.use)))
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

    /// The same window, ended at its last reply. A run of a given number of requests is over then,
    /// even if this is noticed later.
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

    /// Time in which the requests were counted, in seconds. It is shorter than the window if the
    /// window includes pauses between the runs of a program.
    public double seconds() {
        return reported.map(Reported::nanos).orElse(endNanos - startNanos) / 1e9;
    }

    /// True if requests were counted. A run of a program that was ended early reports none.
    public boolean counted() {
        return reported.map(Reported::counted).orElse(true);
    }

    /// Number of replies that are redirects, followed or not.
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

    /// Number of requests that were not good.
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

    /// True if arrivals waited for a connection while the server answered at once: the client has
    /// too few connections.
    public boolean lacksConnections() {
        return SelfSuspicion.pool(this).isPresent();
    }

    /// The client's resource use and whether the client was the limit.
    public ClientSide client() {
        return SelfSuspicion.judge(this);
    }
}
