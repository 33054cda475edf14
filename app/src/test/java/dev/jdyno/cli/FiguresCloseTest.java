package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.breakdown.ClosedPoint;
import dev.jdyno.diagnose.breakdown.RoundBreakdowns;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Lines;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.Saturation;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PoolQueue;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.FigureId;
import dev.jdyno.measure.verdict.PointFigure;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.report.words.Highlights;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The figures of a report are consistent in every kept recording. Counts of requests add up, a
/// figure has one value at one load, and the reported load follows the printed rule.
class FiguresCloseTest {
    /// Rounding error of sums of means.
    private static final double ROUNDING = 1e-6;

    /// Maximum ratio of the requests in flight after reconciliation to those of the plan.
    private static final double TURNAROUND = 1.02;

    private static final Pattern CPU_OF_A_REQUEST =
            Pattern.compile("each request takes ([0-9.]+) ms of CPU");

    /// Minimum ratio of predicted to present throughput from which a change counts as a gain.
    private static final double SOME_GAIN = 1.03;

    private static final Map<String, RunResult> RESULTS = new TreeMap<>();

    @BeforeAll
    static void judge() throws IOException {
        Corpus.all()
                .forEach((name, recording) -> RESULTS.put(name, Corpus.judged(name, recording)));
        assertThat(RESULTS).isNotEmpty();
    }

    /// Returns the inconsistent figures of one recording's result.
    private interface Check {
        List<String> violations(RunResult result);
    }

    private static void assertClosed(Check check) {
        List<String> found = new ArrayList<>();
        RESULTS.forEach((name, result) ->
                check.violations(result).forEach(says -> found.add(name + ": " + says)));
        assertThat(found).isEmpty();
    }

    private static String says(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    @Test
    void busyAndWaitingRequestsAreAtMostThoseInFlight() {
        assertClosed(FiguresCloseTest::counts);
    }

    private static List<String> counts(RunResult result) {
        List<String> found = new ArrayList<>();
        for (ThreadSamples window : result.census()) {
            double max = window.concurrency() * TURNAROUND;
            if (window.dumps() == 0
                    || !holdsInFlight(result, window)
                    || window.awaitingItself() > 0) {
                continue;
            }
            for (PoolQueue queue : window.queues()) {
                boolean entry =
                        window.pools().stream()
                                .anyMatch(p ->
                                        // a request may have several virtual threads
                                        p.serving()
                                                && !p.loop()
                                                && !p.virtual()
                                                && p.name().equals(queue.pool()));
                if (isLeftOut(result, window, queue.pool())) {
                    continue;
                }
                double sum = queue.busy().orElse(0.0) + queue.length().orElse(0.0);
                if (entry && sum > max) {
                    found.add(
                            says(
                                    "%s has %.2f in use and waiting of %d",
                                    queue.pool(), sum, window.concurrency()));
                }
            }
            double serving =
                    window.pools().stream()
                            .filter(p -> p.serving() && !p.loop() && !p.virtual())
                            .filter(p -> !isLeftOut(result, window, p.name()))
                            .mapToDouble(ThreadSamples.Pool::busy)
                            .max()
                            .orElse(0);
            if (serving + window.waitingSockets() > max) {
                found.add(
                        says(
                                "N=%d: %.2f in use, %.2f unread, %.2f not accepted",
                                window.concurrency(),
                                serving,
                                window.waitingSockets(),
                                window.listenQueue()));
            }
        }
        return found;
    }

    /// True if reconciliation left the pool's count out, because it contradicts other figures or
    /// the requests in flight. A thread may write on after the client has its reply. At the
    /// reported load, a note must name the pool.
    private static boolean isLeftOut(RunResult result, ThreadSamples window, String pool) {
        boolean atFault =
                result.rounds().stream()
                        .filter(r -> r.concurrency() == window.concurrency())
                        .flatMap(r -> RoundBreakdowns.closed(result.recording(), r).stream())
                        .map(ClosedPoint::reconciled)
                        .anyMatch(all ->
                                all.isAtFault(FigureId.Total.IN_FLIGHT.id())
                                        || all.isAtFault(new FigureId.Pool(pool).id()));
        boolean reported =
                result.operatingPoint()
                        .filter(p -> p.concurrency() == window.concurrency())
                        .isPresent();
        return atFault
                && (!reported
                        || result.capacityNotes().others().stream()
                                .anyMatch(n -> n.contains(pool)));
    }

    /// True if busy threads cannot exceed the requests in flight. False at an open rate, and if
    /// requests fail, because a thread continues after the client has given up.
    private static boolean holdsInFlight(RunResult result, ThreadSamples window) {
        return result.rounds().stream()
                .filter(r -> r.concurrency() == window.concurrency())
                .allMatch(r -> r.ratePerS().isEmpty() && r.errors() == 0);
    }

    @Test
    void aPoolHasOneNumberOfThreadsInUse() {
        assertClosed(FiguresCloseTest::pools);
    }

    private static List<String> pools(RunResult result) {
        Optional<ThreadSamples> window = result.operatingPoint().flatMap(OperatingPoint::window);
        List<String> found = new ArrayList<>();
        for (PointFigure figure : result.judged().figures()) {
            if (!(figure.id() instanceof FigureId.Pool(String name)) || window.isEmpty()) {
                continue;
            }
            window.get().pools().stream()
                    .filter(p -> p.name().equals(name))
                    .filter(p -> Math.abs(p.busy() - figure.value()) > ROUNDING)
                    .forEach(p -> found.add(says("%s %s, figure %s", name, p, figure)));
            window.get().queues().stream()
                    .filter(q -> q.kind() == PoolQueue.Kind.THREADS && q.pool().equals(name))
                    .filter(q ->
                            q.busy()
                                    .filter(b -> Math.abs(b - figure.value()) > ROUNDING)
                                    .isPresent())
                    .forEach(q -> found.add(says("queue %s, figure %s", q, figure)));
        }
        return found;
    }

    @Test
    void cpuHasOneValueAtTheLoadOfTheReport() {
        assertClosed(FiguresCloseTest::cpu);
    }

    /// Evidence and the reason against CPU must show the CPU value of the reported round.
    private static List<String> cpu(RunResult result) {
        Optional<CpuUse> there =
                result.operatingPoint().map(OperatingPoint::round).flatMap(Round::cpu);
        if (there.isEmpty()) {
            return List.of();
        }
        double used = there.get().utilisation();
        int here = result.operatingPoint().orElseThrow().concurrency();
        List<String> found = new ArrayList<>();
        result.verdict().evidence().stream()
                .filter(Figure.CPU_UTILISATION::isOf)
                .filter(l -> !isThere(l.value(), used))
                .filter(l -> !isOfNamedLoad(result, here, l.value(), l.says().text()))
                .forEach(l -> found.add(says("evidence %.4f, round %.4f", l.value(), used)));
        result.verdict().runnersUp().stream()
                .filter(r -> r.bottleneck() == Bottleneck.CPU && !r.possible())
                .filter(r ->
                        r.decided()
                                .filter(d -> d.limit() == Saturation.CPU_SATURATED)
                                .filter(d -> !isThere(d.value(), used))
                                .filter(d ->
                                        !isOfNamedLoad(result, here, d.value(), r.whyNot().text()))
                                .isPresent())
                .forEach(r -> found.add(says("not cpu: %s, round %.4f", r.decided(), used)));
        return found;
    }

    /// The verdict shows the CPU time of a request at the reported load, or names another load next
    /// to it.
    @Test
    void theCpuOfARequestIsThatOfTheLoadOfTheReport() {
        assertClosed(FiguresCloseTest::cpuOfARequest);
    }

    private static List<String> cpuOfARequest(RunResult result) {
        Optional<Round> here = result.operatingPoint().map(OperatingPoint::round);
        Matcher said = CPU_OF_A_REQUEST.matcher(result.verdict().says().text());
        if (here.isEmpty() || !said.find()) {
            return List.of();
        }
        String ms = Lines.ms(here.get().cpuMsPerRequest().orElse(0.0));
        boolean named = result.verdict().says().text().contains(" in flight");
        return said.group(1).equals(ms) || named
                ? List.of()
                : List.of(says("%s ms, and %s ms at the load of the report", said.group(1), ms));
    }

    /// The new size of a pool is what its predicted gain needs at one load, plus two standard
    /// deviations.
    @Test
    void theSizeOfAPoolBelongsToTheLoadOfItsGain() {
        assertClosed(FiguresCloseTest::sizes);
    }

    private static List<String> sizes(RunResult result) {
        double now = result.operatingPoint().map(p -> p.round().qps()).orElse(0.0);
        return result.recommendations().stream()
                .filter(r -> now > 0 && r.expected().isPresent())
                .filter(r -> r.expected().get().qps() > SOME_GAIN * now)
                .flatMap(r ->
                        sizes(r).entrySet().stream()
                                .filter(e -> {
                                    double used =
                                            e.getKey() * r.expected().orElseThrow().qps() / now;
                                    double max = used + 2 * Math.sqrt(used);
                                    return e.getValue() > Math.ceil(max) + 1;
                                })
                                .map(e -> says("%s: %s for %s", r.id(), e, r.expected())))
                .toList();
    }

    /// New pool sizes by their present sizes. Empty if the size is only given in words, such as
    /// twice the size.
    private static Map<Double, Double> sizes(Recommendation r) {
        boolean exact =
                r.changes().stream()
                        .anyMatch(c ->
                                c instanceof Change.PoolSize(String _, Amount to)
                                        && to instanceof Amount.Exactly);
        return !exact
                ? Map.of()
                : r.settings().stream()
                        .filter(set -> set.now().isPresent() && set.to() instanceof Amount.Exactly)
                        .collect(
                                Collectors.toMap(
                                        set -> Double.parseDouble(set.now().orElseThrow()),
                                        set ->
                                                Double.parseDouble(
                                                        ((Amount.Exactly) set.to()).value())));
    }

    private static boolean isThere(double value, double used) {
        return Math.abs(value - used) <= ROUNDING;
    }

    /// True if the value belongs to another load that the text names.
    private static boolean isOfNamedLoad(RunResult result, int here, double value, String text) {
        return result.rounds().stream()
                .filter(r -> r.concurrency() != here)
                .filter(r -> r.cpu().filter(c -> isThere(c.utilisation(), value)).isPresent())
                .anyMatch(r -> text.contains(says("with %d in flight", r.concurrency())));
    }

    /// No two lines of evidence show the same figure.
    @Test
    void evidenceHasEachFigureOnce() {
        assertClosed(FiguresCloseTest::twice);
    }

    private static List<String> twice(RunResult result) {
        return result.verdict().evidence().stream()
                .filter(line -> line.unit().equals("share") && line.value() > 0 && line.value() < 1)
                // two methods may have the same number of samples
                .filter(line -> !line.id().matches(".*-\\d+"))
                .collect(Collectors.groupingBy(EvidenceLine::value))
                .values()
                .stream()
                .filter(lines -> lines.size() > 1)
                .map(lines -> lines.stream().map(EvidenceLine::id).toList().toString())
                .toList();
    }

    /// The remainder of a breakdown is shown only if it exceeds its error. With the omitted part,
    /// the parts sum up to the response time.
    @Test
    void omitsRemainderWithinItsError() {
        assertClosed(FiguresCloseTest::leftOver);
    }

    private static List<String> leftOver(RunResult result) {
        List<String> found = new ArrayList<>();
        for (Round round : result.rounds()) {
            List<Highlights.Part> parts = Highlights.parts(round, result.verdict().bottleneck());
            parts.stream()
                    .filter(p ->
                            p.key().equals(Highlights.UNEXPLAINED)
                                    || p.key().equals(Cause.OTHER.key()))
                    .filter(p -> p.errorMs().filter(e -> p.ms() > e).isEmpty())
                    .forEach(p -> found.add(says("N=%d: %s", round.concurrency(), p)));
            if (!parts.isEmpty() && !Highlights.addsUp(Highlights.total(parts), round)) {
                found.add(
                        says(
                                "N=%d: parts %.3f ms of %.3f ms",
                                round.concurrency(), Highlights.total(parts), round.rtMs().mean()));
            }
        }
        return found;
    }

    @Test
    void reportedLoadFollowsPrintedRule() {
        assertClosed(FiguresCloseTest::load);
    }

    private static List<String> load(RunResult result) {
        Optional<OperatingPoint> point = result.operatingPoint().filter(p -> !p.isRate());
        if (point.isEmpty()) {
            return List.of();
        }
        Map<Integer, Double> means =
                result.rounds().stream()
                        .filter(r -> r.ratePerS().isEmpty() && r.disturbance().isEmpty())
                        .collect(
                                Collectors.groupingBy(
                                        Round::concurrency,
                                        TreeMap::new,
                                        Collectors.averagingDouble(Round::qps)));
        double best = means.values().stream().mapToDouble(x -> x).max().orElse(0);
        int here = point.get().concurrency();
        List<String> found = new ArrayList<>();
        if (means.containsKey(here) && means.get(here) < OperatingPoint.NEARLY_BEST * best) {
            found.add(says("N=%d has %.3f of the best", here, means.get(here) / best));
        }
        OperatingPoint.PassedOver passed =
                OperatingPoint.passedOver(result.recording(), point.get());
        means.forEach((n, qps) -> {
            boolean seen =
                    result.census().stream().anyMatch(c -> c.concurrency() == n && c.dumps() > 0);
            List<Integer> why = seen ? passed.withoutLimit() : passed.withoutWindow();
            boolean lower = n < here && qps >= OperatingPoint.NEARLY_BEST * best;
            if (lower != why.contains(n)) {
                found.add(
                        says(
                                "N=%d has %.3f of the best, window %s; N=%d is used; %s",
                                n, qps / best, seen, here, passed));
            }
        });
        return found;
    }
}
