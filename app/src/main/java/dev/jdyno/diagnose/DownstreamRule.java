package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.confidence;
import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Signals.Sign;
import dev.jdyno.measure.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Another service is used up: the service's threads wait for it, as {@link WaitRule} judges it, or
/// no thread waits and the calls are on the way all the same: an asynchronous client keeps a
/// connection busy for each of them while every thread is idle.
final class DownstreamRule implements Rule {
    /// Share of the requests in flight that may have a thread, be unread or have an answer that
    /// their client has not taken: the others are outside of the service.
    static final double INSIDE_LIMIT = 0.3;

    /// Connections to one place, as a share of the requests in flight, from which each request can
    /// have its call there.
    static final double CONNECTED_LIMIT = 0.6;

    /// Most confidence where no thread was seen to wait: idle connections look the same.
    static final double UNSEEN_AT_MOST = 0.85;

    private static final WaitRule WAIT = WaitRule.downstream();

    @Override
    public Bottleneck bottleneck() {
        return Bottleneck.DOWNSTREAM;
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Finding seen = WAIT.evaluate(evidence);
        return seen instanceof Finding.Limits ? seen : calledByNoThread(evidence).orElse(seen);
    }

    private static Optional<Finding> calledByNoThread(Evidence evidence) {
        Optional<Double> connections = evidence.sign(Sign.DOWNSTREAM_CONNECTIONS);
        if (evidence.saturated().isEmpty() || connections.isEmpty()) {
            return Optional.empty();
        }
        Census census = evidence.saturated().get();
        double inFlight = census.concurrency();
        double inside =
                census.busyThreads()
                        + census.waitingSockets()
                        + census.listenQueue()
                        + evidence.sign(Sign.UNSENT_SOCKETS).orElse(0.0);
        double connected = connections.get() / inFlight;
        if (inside > INSIDE_LIMIT * inFlight
                || connected < CONNECTED_LIMIT
                || evidence.cpuIsShort()
                || evidence.stillRises()
                || evidence.medianGrowth()
                        .filter(g -> g >= WaitRule.MEDIAN_QUEUES_FROM)
                        .isEmpty()) {
            return Optional.empty();
        }
        String where = evidence.place(Sign.DOWNSTREAM_CONNECTIONS).orElse("");
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        "inside",
                        say("%.1f of %.0f requests are inside the service", inside, inFlight),
                        inside / inFlight,
                        "share",
                        INSIDE_LIMIT));
        lines.add(
                line(
                        "connections",
                        say("%.0f connections to %s", connections.get(), where),
                        connected,
                        "share",
                        CONNECTED_LIMIT));
        evidence.scalingLine().ifPresent(lines::add);
        return Optional.of(
                new Finding.Limits(
                        where,
                        confidence(
                                1 - inside / inFlight,
                                1 - INSIDE_LIMIT,
                                0.95,
                                0.70,
                                UNSEEN_AT_MOST),
                        say(
                                "A downstream service is the bottleneck: no thread waits for it, but of"
                                        + " %.0f requests in flight only %.1f are inside the service, which"
                                        + " holds %.0f connections to %s; CPU is at %.0f %%, and twice the"
                                        + " load gives no more.",
                                inFlight,
                                inside,
                                connections.get(),
                                where,
                                evidence.cpuUtilisation().orElse(0.0) * 100),
                        lines));
    }
}
