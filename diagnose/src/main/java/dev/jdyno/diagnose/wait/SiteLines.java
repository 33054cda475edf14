package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.measure.Insight.CallRate;
import dev.jdyno.measure.Insight.PoolOrigin;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What a flight recording and the kernel counted of calls and pools, with the line in the source
/// code. Nothing is said of what was not counted.
final class SiteLines {
    /// Lines of code that are shown.
    private static final int MOST = 3;

    /// Waits a request below which a line is not every request's.
    private static final double SELDOM = 0.1;

    /// Different connections for each that is open, up to which they are kept: one in three was
    /// opened anew meanwhile.
    private static final double KEPT = 1.5;

    /// How far a count may be from a whole number that it is shown as.
    private static final double WHOLE = 0.05;

    private SiteLines() {}

    /// How often a request calls at which line, most often first.
    static List<EvidenceLine> calls(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>();
        for (CallRate rate : rates(evidence)) {
            if (rate.perRequest() >= SELDOM && lines.size() < MOST) {
                lines.add(
                        line(
                                Figure.CALLS_PER_REQUEST,
                                lines.size() + 1,
                                say(
                                        "%s %s a request at %s, %s ms each (of 1 ms and more)",
                                        count(rate.perRequest()),
                                        what(rate, evidence),
                                        rate.at().place(),
                                        Lines.ms(rate.meanMs())),
                                rate.perRequest(),
                                0));
            }
        }
        return lines;
    }

    /// All calls of 1 ms and more of other services that a request makes; empty where they were not
    /// counted.
    static Optional<Double> callsPerRequest(Evidence evidence) {
        List<CallRate> calls =
                rates(evidence).stream()
                        .filter(r -> r.cause() != Cause.DATABASE)
                        .filter(r -> r.cause() != Cause.FUTURE || callsByFutures(evidence))
                        .toList();
        return calls.isEmpty()
                ? Optional.empty()
                : Optional.of(calls.stream().mapToDouble(CallRate::perRequest).sum());
    }

    /// The line at which a request makes most calls of other services at that load, where its
    /// threads wait for them.
    static Optional<CallRate> mostCalls(Evidence evidence, int concurrency) {
        return evidence.insight().calls().stream()
                .filter(r -> r.concurrency() == concurrency && r.cause() == Cause.DOWNSTREAM)
                .max(Comparator.comparingDouble(CallRate::perRequest));
    }

    /// Those of the load at which threads were looked at.
    private static List<CallRate> rates(Evidence evidence) {
        return evidence.saturated().stream()
                .flatMap(c ->
                        evidence.insight().calls().stream()
                                .filter(r -> r.concurrency() == c.concurrency()))
                .toList();
    }

    private static String what(CallRate rate, Evidence evidence) {
        return switch (rate.cause()) {
            case DATABASE -> "waits for the database";
            case FUTURE -> callsByFutures(evidence) ? "calls" : "waits for a task";
            default -> "calls";
        };
    }

    /// Whether threads that wait for a result wait for a call of an asynchronous client.
    private static boolean callsByFutures(Evidence evidence) {
        return evidence.top(Cause.DOWNSTREAM).filter(ThreadSamples.Busy::async).isPresent();
    }

    private static String count(double perRequest) {
        return Math.abs(perRequest - Math.rint(perRequest)) < WHOLE
                ? say("%.0f", perRequest)
                : say("%.1f", perRequest);
    }

    /// Whether the connections to the service that is called most are kept.
    static Optional<EvidenceLine> connections(Evidence evidence) {
        return evidence.saturated()
                .flatMap(c -> c.calls().stream().findFirst())
                .filter(c -> c.connections() > 0)
                .map(SiteLines::connections);
    }

    /// The calls that a request makes, and the connections to the service that is called most.
    static List<EvidenceLine> remote(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>(calls(evidence));
        connections(evidence).ifPresent(lines::add);
        return lines;
    }

    /// Whether calls share connections: a connection for each call is no pool.
    static boolean areKept(Calls calls) {
        return calls.opened() <= KEPT * Math.ceil(calls.connections());
    }

    private static EvidenceLine connections(Calls calls) {
        return line(
                Figure.CONNECTIONS_OPENED,
                say(
                        "%.1f connections to %s at a time, %d different ones seen: they are %s",
                        calls.connections(),
                        calls.where(),
                        calls.opened(),
                        areKept(calls) ? "reused" : "not all reused"),
                calls.opened(),
                KEPT * calls.connections());
    }

    /// Waits that end by a timeout at the highest load: such answers may be no proper ones,
    /// whatever their status.
    static Optional<EvidenceLine> timeouts(Evidence evidence) {
        return evidence.insight().exceptionsAtMostLoad().stream()
                .filter(t -> t.type().contains("Timeout") && t.perRequest() >= SELDOM)
                .findFirst()
                .map(t ->
                        line(
                                Figure.TIMEOUTS,
                                Sentence.format(
                                        "%.2g %s a request at N=%d: look at what it answers then",
                                        t.perRequest(), Sentence.name(t.type()), t.concurrency()),
                                t.perRequest(),
                                SELDOM));
    }

    /// Where a pool is given its tasks, or made.
    static Optional<EvidenceLine> origin(Evidence evidence, String pool) {
        return origin(evidence.insight().origins(), pool)
                .map(o ->
                        line(
                                Figure.HANDED_IN,
                                pool,
                                say(
                                        "threads of %s are started at %s: its tasks are handed in"
                                                + " there, or it is made there",
                                        pool, o.at().place()),
                                (double) o.at().samples(),
                                0));
    }

    /// The same as a clause behind what is to be changed; nothing where it is not known.
    static String madeAt(Evidence evidence, String pool) {
        return origin(evidence.insight().origins(), pool)
                .map(o -> say("; its threads are started at %s", o.at().place()))
                .orElse("");
    }

    private static Optional<PoolOrigin> origin(List<PoolOrigin> origins, String pool) {
        return origins.stream().filter(o -> o.pool().equals(pool)).findFirst();
    }
}
