package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.confidence;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.evidence.Statement;
import dev.jdyno.diagnose.evidence.Waiting;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Detects that another service or a database is saturated although no thread waits for it. An
/// asynchronous client uses a connection for each call, and no thread is busy meanwhile.
final class CalledByNoThread {
    /// Maximum confidence if connections were found that await an answer.
    private static final double MAX_IF_CALLS_SEEN = 0.88;

    private CalledByNoThread() {}

    /// @param claim the beginning of the sentence
    /// @param wanted selects the calls for this rule
    static Optional<Finding> of(Evidence evidence, String claim, Predicate<Calls> wanted) {
        return UnseenCalls.of(evidence)
                .flatMap(u ->
                        u.downstream()
                                .filter(wanted)
                                .map(called -> called(evidence, claim, u, called)));
    }

    private static Finding called(Evidence evidence, String claim, UnseenCalls u, Calls called) {
        double sure =
                u.seen()
                        ? confidence(
                                u.awaiting() / u.inFlight(),
                                UnseenCalls.CALLED,
                                0.9,
                                0.70,
                                MAX_IF_CALLS_SEEN)
                        : confidence(
                                1 - u.inside() / u.inFlight(),
                                1 - UnseenCalls.INSIDE_LIMIT,
                                0.95,
                                0.70,
                                Doubt.NO_WAITER_SEEN.most());
        if (u.growth(called).filter(g -> g < Waiting.QUEUES_FROM).isPresent()) {
            // the time per request is the same as at a low load, so no request queues and nothing
            // is saturated
            sure *= 0.5;
        }
        return new Finding.Limits(
                called.where(),
                sure,
                Statement.of(
                        claim,
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
                                        Waiting.QUEUES_FROM)));
        evidence.scalingLine().ifPresent(lines::add);
        return lines;
    }
}
