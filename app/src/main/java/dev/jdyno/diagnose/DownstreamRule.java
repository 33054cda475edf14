package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.Lines.confidence;
import static dev.jdyno.diagnose.Lines.line;
import static dev.jdyno.diagnose.Lines.say;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Another service is used up: the service's threads wait for it, as {@link WaitRule} judges it, or
/// no thread waits and the calls are on the way all the same: an asynchronous client keeps a
/// connection busy for each of them while every thread is idle.
final class DownstreamRule implements Rule {
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
        Optional<UnseenCalls> unseen =
                UnseenCalls.of(evidence).filter(u -> u.connected() >= CONNECTED_LIMIT);
        if (unseen.isEmpty()) {
            return Optional.empty();
        }
        double inFlight = unseen.get().inFlight();
        double inside = unseen.get().inside();
        double connected = unseen.get().connected();
        String where = unseen.get().where();
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        "inside",
                        say("%.1f of %.0f requests are inside the service", inside, inFlight),
                        inside / inFlight,
                        "share",
                        UnseenCalls.INSIDE_LIMIT));
        lines.add(
                line(
                        "connections",
                        say("%.0f connections to %s", unseen.get().connections(), where),
                        connected,
                        "share",
                        CONNECTED_LIMIT));
        evidence.scalingLine().ifPresent(lines::add);
        return Optional.of(
                new Finding.Limits(
                        where,
                        confidence(
                                1 - inside / inFlight,
                                1 - UnseenCalls.INSIDE_LIMIT,
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
                                unseen.get().connections(),
                                where,
                                evidence.cpuUtilisation().orElse(0.0) * 100),
                        lines));
    }
}
