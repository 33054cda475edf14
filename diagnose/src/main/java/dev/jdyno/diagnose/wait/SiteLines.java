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

/// Lines on the calls and pools that a flight recording and the kernel counted, with the line in
/// the source code. Calls that were not counted are not mentioned.
final class SiteLines {
    /// Maximum number of lines of code shown.
    private static final int MAX = 3;

    /// Minimum number of waits per request at one line. Below it, few requests reach the line.
    private static final double SELDOM = 0.1;

    /// Maximum ratio of different connections to open ones at which connections count as kept open.
    /// At this ratio, one in three was opened during the window.
    private static final double KEPT = 1.5;

    /// Maximum distance of a count from the whole number that is shown.
    private static final double WHOLE = 0.05;

    private SiteLines() {}

    /// Returns lines with the number of calls per request at each line of code, the most frequent
    /// first.
    static List<EvidenceLine> calls(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>();
        for (CallRate rate : rates(evidence)) {
            if (rate.perRequest() >= SELDOM && lines.size() < MAX) {
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

    /// Returns the number of calls of other services, of 1 ms and more, per request; empty if they
    /// were not counted.
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

    /// Returns the line with most calls of other services per request at that load, if threads wait
    /// for them.
    static Optional<CallRate> mostCalls(Evidence evidence, int concurrency) {
        return evidence.insight().calls().stream()
                .filter(r -> r.concurrency() == concurrency && r.cause() == Cause.DOWNSTREAM)
                .max(Comparator.comparingDouble(CallRate::perRequest));
    }

    /// Returns the call rates at the load of the thread samples.
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

    /// True if the threads that wait for a result wait for calls of an asynchronous client.
    private static boolean callsByFutures(Evidence evidence) {
        return evidence.top(Cause.DOWNSTREAM).filter(ThreadSamples.Busy::async).isPresent();
    }

    private static String count(double perRequest) {
        return Math.abs(perRequest - Math.rint(perRequest)) < WHOLE
                ? say("%.0f", perRequest)
                : say("%.1f", perRequest);
    }

    /// Returns a line that says whether connections to the most frequently called service are kept
    /// open.
    static Optional<EvidenceLine> connections(Evidence evidence) {
        return evidence.saturated()
                .flatMap(c ->
                        c.calls().stream()
                                .findFirst()
                                .filter(calls -> calls.connections() > 0)
                                .map(calls -> connections(calls, c.concurrency())));
    }

    /// Returns the calls per request, and the connections to the most frequently called service.
    static List<EvidenceLine> remote(Evidence evidence) {
        List<EvidenceLine> lines = new ArrayList<>(calls(evidence));
        connections(evidence).ifPresent(lines::add);
        return lines;
    }

    /// True if connections are kept open for several calls. If each call opens a connection, there
    /// is no pool.
    static boolean areKept(Calls calls) {
        return calls.opened() <= KEPT * Math.ceil(calls.connections());
    }

    /// @param inFlight requests in flight in the window. A pool may still have more connections
    ///   than that from a higher load.
    private static EvidenceLine connections(Calls calls, int inFlight) {
        boolean more = inFlight > 0 && areKept(calls) && calls.connections() > inFlight;
        return line(
                Figure.CONNECTIONS_OPENED,
                say(
                        "%.1f connections to %s at a time, %d different ones seen: they are %s%s",
                        calls.connections(),
                        calls.where(),
                        calls.opened(),
                        areKept(calls) ? "reused" : "not all reused",
                        more
                                ? say(
                                        ", most of them idle with %d in flight: a higher load opened"
                                                + " them",
                                        inFlight)
                                : ""),
                calls.opened(),
                KEPT * calls.connections());
    }

    /// Returns the waits that end in a timeout at the highest load. Answers after a timeout may be
    /// wrong even if their status is good.
    static Optional<EvidenceLine> timeouts(Evidence evidence) {
        return evidence.insight().exceptionsAtHighestLoad().stream()
                .filter(t -> t.type().contains("Timeout") && t.perRequest() >= SELDOM)
                .findFirst()
                .map(t ->
                        line(
                                Figure.TIMEOUTS,
                                Sentence.format(
                                        "%.2g %s per request at N=%d: look at the replies at that"
                                                + " load",
                                        t.perRequest(), Sentence.name(t.type()), t.concurrency()),
                                t.perRequest(),
                                SELDOM));
    }

    /// Returns a line with the place where tasks are submitted to a pool, or where its threads are
    /// created.
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

    /// Returns the same place as a clause behind the text of a change; an empty text if it is
    /// unknown.
    static String madeAt(Evidence evidence, String pool) {
        return origin(evidence.insight().origins(), pool)
                .map(o -> say("; its threads are started at %s", o.at().place()))
                .orElse("");
    }

    private static Optional<PoolOrigin> origin(List<PoolOrigin> origins, String pool) {
        return origins.stream().filter(o -> o.pool().equals(pool)).findFirst();
    }
}
