package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Most busy threads wait to borrow from a pool whose connections are held by others: a wait as
/// {@link WaitRule} judges it, except for a semaphore's permits that are a limiter's. Or no thread
/// waits, for the client is asynchronous, and the service holds far fewer connections than it has
/// requests outside of it.
final class ConnectionPoolRule implements Rule {
    /// A limit on concurrency and a pool differ by what the permits stand for, which no stack says.
    private static final double LIMITER_SUSPICION = 0.45;

    /// Connections for each request in flight up to which they are what requests wait for.
    static final double FEW_CONNECTIONS = 0.5;

    /// One connection can carry many calls at once (HTTP/2); from two on it is a pool.
    static final double POOL_FROM = 2;

    /// Confidence where no thread was seen to wait: connections that have nothing to do with the
    /// requests, and a service behind them that serves so few at once, look the same.
    static final double UNSEEN = 0.70;

    private static final WaitRule WAIT = WaitRule.connectionPool();

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.CONNECTION_POOL;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Optional<Census.Busy> top = evidence.top(Cause.POOL);
        if (top.filter(RateLimitRule::isPermit).isPresent()) {
            return new Finding.Cleared(
                    LIMITER_SUSPICION, "the permits that threads wait for are a limiter's");
        }
        Finding seen = WAIT.evaluate(evidence);
        return seen instanceof Finding.Limits ? seen : borrowedByNoThread(evidence).orElse(seen);
    }

    private static Optional<Finding> borrowedByNoThread(Evidence evidence) {
        return UnseenCalls.of(evidence)
                .filter(u -> u.connections() >= POOL_FROM && u.connected() <= FEW_CONNECTIONS)
                .map(u ->
                        new Finding.Limits(
                                u.where(),
                                UNSEEN,
                                say(
                                        "A pool of connections is the bottleneck: no thread waits, but of %.0f"
                                                + " requests in flight only %.1f are inside the service, which holds"
                                                + " %.0f connections to %s, and twice the load gives no more.",
                                        u.inFlight(), u.inside(), u.connections(), u.where()),
                                lines(evidence, u)));
    }

    private static List<EvidenceLine> lines(Evidence evidence, UnseenCalls u) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        "inside",
                        say(
                                "%.1f of %.0f requests are inside the service",
                                u.inside(), u.inFlight()),
                        u.inside() / u.inFlight(),
                        "share",
                        UnseenCalls.INSIDE_LIMIT));
        lines.add(
                line(
                        "connections",
                        say("%.0f connections to %s", u.connections(), u.where()),
                        u.connected(),
                        "share",
                        FEW_CONNECTIONS));
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }
}
