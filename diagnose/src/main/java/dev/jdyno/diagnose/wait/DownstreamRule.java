package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Experiments;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.diagnose.evidence.Rule;
import dev.jdyno.diagnose.evidence.Situation;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Another service, or a database, is saturated: the service's threads wait for it, as {@link
/// WaitRule} judges it, or no thread waits and the calls are on the way all the same: an
/// asynchronous client keeps a connection busy for each of them while every thread is idle.
///
/// @param threads judges by threads that wait
/// @param database whether it is about databases, or about all others
public record DownstreamRule(WaitRule threads, boolean database) implements Rule {

    /// Most confidence where connections were seen to await an answer.
    static final double SEEN_AT_MOST = 0.88;

    public static DownstreamRule services() {
        return new DownstreamRule(WaitRule.downstream(), false);
    }

    public static DownstreamRule databases() {
        return new DownstreamRule(WaitRule.database(), true);
    }

    @Override
    public Bottleneck bottleneck() {
        return threads.bottleneck();
    }

    @Override
    public Finding evaluate(Evidence evidence) {
        Finding seen = threads.evaluate(evidence);
        return seen instanceof Finding.Limits ? seen : calledByNoThread(evidence).orElse(seen);
    }

    private Optional<Finding> calledByNoThread(Evidence evidence) {
        return UnseenCalls.of(evidence)
                .flatMap(u ->
                        u.downstream()
                                .filter(c -> c.database() == database)
                                .map(called -> called(evidence, u, called)));
    }

    private Finding called(Evidence evidence, UnseenCalls u, Calls called) {
        double sure =
                u.seen()
                        ? confidence(
                                u.awaiting() / u.inFlight(),
                                UnseenCalls.CALLED,
                                0.9,
                                0.70,
                                SEEN_AT_MOST)
                        : confidence(
                                1 - u.inside() / u.inFlight(),
                                1 - UnseenCalls.INSIDE_LIMIT,
                                0.95,
                                0.70,
                                Doubt.NO_WAITER_SEEN.most());
        if (u.growth(called).filter(g -> g < WaitRule.QUEUES_FROM).isPresent()) {
            // as long per request as at a low load: no request queues there, so it is not saturated
            sure *= 0.5;
        }
        return new Finding.Limits(
                called.where(),
                sure,
                Statement.of(
                        threads.claim(),
                        "no thread waits for it, but of"
                                + " %.0f requests in flight only %.1f are inside the service, which"
                                + " %s%s%s.",
                        u.inFlight(),
                        u.inside(),
                        u.seen()
                                ? say(
                                        "awaits an answer on %.1f connections to %s",
                                        called.awaiting(), called.where())
                                : say(
                                        "holds %.0f connections to %s",
                                        called.connections(), called.where()),
                        Lines.cpuIs("; ", evidence),
                        evidence.atTwiceTheLoad()),
                lines(evidence, u, called));
    }

    private static List<EvidenceLine> lines(Evidence evidence, UnseenCalls u, Calls called) {
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.INSIDE,
                        say(
                                "%.1f of %.0f requests are inside the service",
                                u.inside(), u.inFlight()),
                        u.inside() / u.inFlight(),
                        UnseenCalls.INSIDE_LIMIT));
        lines.add(
                u.seen()
                        ? line(
                                Figure.CALLS,
                                say(
                                        "%.1f of %.1f connections to %s await an answer",
                                        called.awaiting(), called.connections(), called.where()),
                                called.awaiting() / u.inFlight(),
                                UnseenCalls.CALLED)
                        : line(
                                Figure.CONNECTIONS,
                                say("%.0f connections to %s", called.connections(), called.where()),
                                called.connections() / u.inFlight(),
                                Limits.FEW_CONNECTIONS));
        u.growth(called)
                .ifPresent(g ->
                        lines.add(
                                line(
                                        Figure.CALLS_GROWTH,
                                        say(
                                                "its time per request grew × %.2f%s",
                                                g, Lines.betweenWindows(evidence)),
                                        g,
                                        WaitRule.QUEUES_FROM)));
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }

    @Override
    public RecommendationList recommendations(Situation s) {
        return threads.recommendations(s);
    }

    @Override
    public void challenge(Experiments experiments) {
        threads.challenge(experiments);
    }
}
