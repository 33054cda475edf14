package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Analysis.CauseTotal;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcSetting;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A rule: a pure function of an analysis.
interface GcRule {
    /// Values that the user gives in addition to the log.
    ///
    /// @param qps requests per second that the JVM served
    record Given(OptionalDouble qps) {}

    Ruling evaluate(Analysis a, Given given);

    default Ruling clear() {
        return new Ruling.Clear();
    }

    default Ruling notApplicable(String reason) {
        return new Ruling.NotApplicable(reason);
    }

    default Ruling found(
            Severity severity,
            String says,
            String why,
            List<Evidence> evidence,
            List<String> advice,
            String verify) {
        return advising(
                severity,
                says,
                why,
                evidence,
                advice.stream().map(GcAdvice::words).toList(),
                verify);
    }

    default Ruling advising(
            Severity severity,
            String says,
            String why,
            List<Evidence> evidence,
            List<GcAdvice> advised,
            String verify) {
        return new Ruling.Found(severity, says, why, evidence, advised, verify);
    }

    /// Advice for a heap with twice the free space. Empty if the log does not show the heap size,
    /// or if the machine lacks the memory.
    static Optional<GcAdvice> room(Analysis a) {
        GcSetting g = a.setting();
        return g.twiceTheRoom()
                .filter(g::hasMemoryFor)
                .map(_ -> GcAdvices.halfAsManyCollections(g));
    }

    /// Advice for a collector that is slower than allocation: a larger heap, the advice `own` for
    /// this collector, more GC threads, less allocation.
    static List<GcAdvice> late(Analysis a, Optional<String> own) {
        return Stream.of(
                        Optional.of(
                                room(a).orElseGet(() ->
                                        GcAdvice.words(
                                                "a larger heap, where there is"
                                                        + " memory for it"))),
                        own.map(GcAdvice::words),
                        GcAdvices.concurrentThreads(a.setting()),
                        Optional.of(GcAdvices.allocateLess()))
                .flatMap(Optional::stream)
                .toList();
    }

    /// A formatted text, independent of the machine's locale.
    static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /// The sum of the collections with these causes, under the name of the most frequent cause.
    static CauseTotal sum(Analysis a, Predicate<CauseTotal> of) {
        CauseTotal sum = new CauseTotal(PauseKind.YOUNG, "", 0, 0, 0, List.of());
        for (CauseTotal c : a.causes()) {
            if (c.kind().collects() && of.test(c)) {
                List<Long> lines = new ArrayList<>(sum.lines());
                lines.addAll(c.lines());
                sum =
                        new CauseTotal(
                                c.kind(),
                                sum.cause().isEmpty() ? c.cause() : sum.cause(),
                                sum.count() + c.count(),
                                sum.totalMs() + c.totalMs(),
                                Math.max(sum.maxMs(), c.maxMs()),
                                lines);
            }
        }
        return sum;
    }

    /// The text for logs of JDK 9 and later (unified logging), or the one for older logs.
    static String byJdk(Analysis a, String unified, String legacy) {
        return a.setup().unified() ? unified : legacy;
    }

    /// A count as text: `once`, `3 times`.
    static String times(long count) {
        return count == 1 ? "once" : count + " times";
    }

    /// A count with its noun: `1 full collection`, `3 full collections`.
    static String count(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    static String bytes(double bytes) {
        return new Bytes(Math.max(0, Math.round(bytes))).toString();
    }

    static String ms(double ms) {
        return Durations.format(Duration.ofNanos(Math.round(ms * 1e6)));
    }

    /// A long time in a unit suitable for reading.
    static String span(double seconds) {
        double hours = seconds / 3600;
        if (hours < 3) {
            return ms(seconds * 1000);
        }
        return hours < 72 ? say("%.0f hours", hours) : say("%.0f days", hours / 24);
    }

    /// A size as a JVM flag takes it, rounded up to whole MiB.
    static String flag(double bytes) {
        return GcAdvices.flag(bytes);
    }

    static Evidence evidence(String says, double value, String unit, double limit) {
        return new Evidence(says, value, unit, limit, List.of());
    }

    static Evidence evidence(
            String says, double value, String unit, double limit, List<Long> lines) {
        return new Evidence(says, value, unit, limit, lines);
    }

    static Evidence evidence(String says, long count, String unit, double limit) {
        return new Evidence(says, (double) count, unit, limit, List.of());
    }

    static Evidence evidence(String says, long count, String unit, double limit, List<Long> lines) {
        return new Evidence(says, (double) count, unit, limit, lines);
    }
}
