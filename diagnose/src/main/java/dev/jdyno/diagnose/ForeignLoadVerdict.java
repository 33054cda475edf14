package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.evidence.Lines.line;
import static dev.jdyno.diagnose.evidence.Lines.say;

import dev.jdyno.diagnose.evidence.CpuShortage;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Limits;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.diagnose.wait.UnseenCalls;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Place;
import dev.jdyno.measure.thread.ThreadPlaces;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The verdict on a JVM that was only observed. Its load was not varied, so it is unknown which
/// waits grow with the load. The verdict names what is at its limit now (CPU, quota, a lock, a
/// pool, the collector). Otherwise it names where requests spend their time.
public final class ForeignLoadVerdict {
    /// Minimum share of the requests in flight that are in one wait. From it on, the verdict says
    /// that requests spend their time there.
    static final double DOMINANT = 0.5;

    /// Minimum number of requests in flight. With fewer, there is no load to judge.
    static final double MIN_IN_FLIGHT = 0.5;

    /// Confidence of a verdict on a queue, because threads that wait in a queue prove the queue. In
    /// contrast, a wait for another service does not prove that this service is saturated.
    private static final double SURE_OF_QUEUE = 0.8;

    private static final double SURE_OF_DELAY = 0.6;

    private static final Map<Cause, Bottleneck> NAMES =
            Map.ofEntries(
                    Map.entry(Cause.LOCK, Bottleneck.LOCK),
                    Map.entry(Cause.POOL, Bottleneck.CONNECTION_POOL),
                    Map.entry(Cause.FUTURE, Bottleneck.POOL_STARVATION),
                    Map.entry(Cause.DOWNSTREAM, Bottleneck.DOWNSTREAM),
                    Map.entry(Cause.DATABASE, Bottleneck.DATABASE),
                    Map.entry(Cause.DNS, Bottleneck.DNS),
                    Map.entry(Cause.DISK, Bottleneck.DISK),
                    Map.entry(Cause.LOGGING, Bottleneck.LOGGING),
                    Map.entry(Cause.SLEEP, Bottleneck.RATE_LIMIT),
                    Map.entry(Cause.THREAD_START, Bottleneck.THREAD_CHURN),
                    Map.entry(Cause.CLASS_LOADING, Bottleneck.CLASS_LOADING),
                    Map.entry(Cause.NETWORK, Bottleneck.NETWORK));

    private ForeignLoadVerdict() {}

    /// @param inFlight mean number of requests in the service; 0 if not known
    public static Verdict of(Evidence evidence, double inFlight) {
        Verdict verdict = Diagnosis.ofForeign(evidence);
        if (verdict.bottleneck() != Bottleneck.UNKNOWN) {
            return verdict;
        }
        Optional<ThreadPlaces> threadSamples = evidence.counted().map(ThreadSamples::requests);
        Optional<Double> cpu = evidence.cpuUtilisation();
        if (threadSamples.isEmpty()) {
            return verdict;
        }
        // only thread dumps show what threads wait for
        boolean idle =
                evidence.saturated().isPresent()
                        && cpu.filter(u -> u >= Limits.CPU_IDLE && !isLeftOver(evidence)).isEmpty()
                        && !evidence.queues();
        Optional<Cause> dominant =
                dominant(threadSamples.get(), inFlight).filter(_ -> inFlight >= MIN_IN_FLIGHT);
        if (dominant.filter(c -> !idle || !isOftenFree(threadSamples.get(), c)).isPresent()) {
            return waiting(evidence, threadSamples.get(), dominant.get(), inFlight, idle, verdict);
        }
        return idle
                ? new Verdict(
                        Bottleneck.LOAD,
                        "",
                        SURE_OF_DELAY,
                        Sentence.format(
                                "Nothing is saturated at this load: %.1f requests in flight%s%s.",
                                inFlight,
                                Lines.cpuIs(", ", evidence),
                                dominant.map(c -> share(threadSamples.get(), c, inFlight))
                                        .orElse("")),
                        Stream.concat(Stream.of(inFlightLine(inFlight)), cpuLine(evidence))
                                .toList(),
                        verdict.runnersUp())
                : verdict;
    }

    /// True if the service seems to use its cores only because other processes leave few of them:
    /// few of its threads run or wait for a core.
    private static boolean isLeftOver(Evidence evidence) {
        return new CpuShortage(evidence)
                .onOrWaitingForCpu()
                .filter(share -> share < CpuShortage.WANTS_CPU)
                .isPresent();
    }

    /// True if fewer than one request on average is in this wait. By Little's law, even a resource
    /// that serves one request at a time is then free for a part of the time.
    private static boolean isOftenFree(ThreadPlaces threadSamples, Cause cause) {
        return threadSamples.threads(cause) < ThreadSamples.ONE_AT_A_TIME;
    }

    private static String share(ThreadPlaces threadSamples, Cause cause, double inFlight) {
        return say(
                "; %.0f %% of the time of a request is %s",
                Math.min(1, threadSamples.threads(cause) / inFlight) * 100, says(cause));
    }

    private static Optional<Cause> dominant(ThreadPlaces threadSamples, double inFlight) {
        return NAMES.keySet().stream()
                .filter(c ->
                        isQueue(c)
                                ? threadSamples.threads(c)
                                        > Math.max(
                                                ThreadSamples.ONE_AT_A_TIME,
                                                Evidence.QUEUED * inFlight)
                                : threadSamples.threads(c) > DOMINANT * inFlight)
                .max(
                        Comparator.comparing(ForeignLoadVerdict::isQueue)
                                .thenComparingDouble(threadSamples::threads));
    }

    private static boolean isQueue(Cause cause) {
        return cause == Cause.LOCK || cause == Cause.POOL || cause == Cause.FUTURE;
    }

    private static Verdict waiting(
            Evidence evidence,
            ThreadPlaces threadSamples,
            Cause cause,
            double inFlight,
            boolean idle,
            Verdict unknown) {
        boolean queue = isQueue(cause);
        double share = Math.min(1, threadSamples.threads(cause) / inFlight);
        Optional<ThreadSamples.Busy> top = threadSamples.top(cause);
        String where = top.map(ThreadSamples.Busy::where).orElse("");
        Sentence holder = top.map(t -> Lines.held(t, threadSamples)).orElse(Sentence.of(""));
        Sentence places =
                places(threadSamples, cause)
                        .or(() -> top.map(t -> t.place().named()))
                        .orElse(Sentence.of(""));
        List<EvidenceLine> lines = new ArrayList<>();
        lines.add(
                line(
                        Figure.SHARE,
                        cause.key(),
                        Sentence.format(
                                "%.1f of %.1f requests are there: %s%s",
                                threadSamples.threads(cause), inFlight, places, holder),
                        share,
                        queue ? Evidence.QUEUED : DOMINANT));
        inUse(threadSamples, where).ifPresent(lines::add);
        cpuLine(evidence).forEach(lines::add);
        return new Verdict(
                NAMES.getOrDefault(cause, Bottleneck.UNKNOWN),
                where,
                queue ? SURE_OF_QUEUE : SURE_OF_DELAY,
                Sentence.format(
                        "%s%.0f %% of the time of the service's requests is %s%s%s",
                        idle && !queue
                                ? "Nothing in the service itself is saturated. At the present"
                                        + " load, "
                                : "At the present load, ",
                        share * 100,
                        says(cause),
                        places.isEmpty() ? places : Sentence.format(" (%s)", places),
                        queue
                                ? ": they queue for it."
                                : "; only a load test can show whether more load makes it longer."),
                lines,
                unknown.runnersUp().stream()
                        .filter(r -> r.bottleneck() != NAMES.get(cause))
                        .toList());
    }

    /// Returns the places that each have a large part of the requests in `cause`, with their
    /// numbers; empty for fewer than two places.
    private static Optional<Sentence> places(ThreadPlaces threadSamples, Cause cause) {
        List<Sentence> large =
                threadSamples.byPlace(cause).entrySet().stream()
                        .filter(e ->
                                e.getValue() >= Limits.GOOD_PART * threadSamples.threads(cause))
                        .sorted(Map.Entry.<Place, Double>comparingByValue().reversed())
                        .map(e -> Sentence.format("%s: %.1f", e.getKey().named(), e.getValue()))
                        .toList();
        return large.size() < 2 ? Optional.empty() : Optional.of(Sentence.join(", ", large));
    }

    /// Returns a line with the number of connections in use at a place. If all are in use, they may
    /// be a pool for which requests wait, but such waits were not observed.
    private static Optional<EvidenceLine> inUse(ThreadPlaces threadSamples, String where) {
        return threadSamples.calls().stream()
                .filter(c -> c.where().equals(where))
                .findFirst()
                .map(c ->
                        line(
                                Figure.IN_USE,
                                say(
                                        "%.1f of %.0f connections there await an answer%s",
                                        c.awaiting(),
                                        c.connections(),
                                        c.inUse() >= Limits.ALL_IN_USE
                                                        && c.connections() >= UnseenCalls.POOL_FROM
                                                ? ": if this is the size of a pool, other"
                                                        + " requests wait for a connection"
                                                : ""),
                                c.inUse(),
                                Limits.ALL_IN_USE));
    }

    private static String says(Cause cause) {
        return switch (cause) {
            case LOCK -> "waiting for a lock";
            case POOL -> "waiting for something out of a pool";
            case FUTURE -> "waiting for a task of another executor";
            case DOWNSTREAM -> "waiting for another service";
            case DATABASE -> "waiting for the database";
            case DNS -> "looking up names";
            case DISK -> "waiting for the disk";
            case LOGGING -> "logging";
            case SLEEP -> "sleeping or held back by a limiter";
            case NETWORK -> "writing to clients";
            case THREAD_START -> "starting threads";
            case CLASS_LOADING -> "loading classes";
            case JVM_MUTEX -> "waiting for a mutex of the JVM";
            default -> cause.key();
        };
    }

    private static EvidenceLine inFlightLine(double inFlight) {
        return line(
                Figure.IN_FLIGHT,
                say("%.1f requests in flight", inFlight),
                inFlight,
                MIN_IN_FLIGHT);
    }

    private static Stream<EvidenceLine> cpuLine(Evidence evidence) {
        return evidence.cpuUtilisation().stream()
                .map(u ->
                        line(
                                Figure.CPU_UTILISATION,
                                say("CPU at %.0f %% of the cores available to it", u * 100),
                                u,
                                Limits.CPU_IDLE));
    }
}
