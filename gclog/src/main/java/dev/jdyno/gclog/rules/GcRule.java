package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcLimits;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// A pure question to an analysis.
interface GcRule {
    /// What the user says besides the log.
    ///
    /// @param qps requests per second that the JVM served
    record Given(OptionalDouble qps) {}

    String id();

    GcFinding evaluate(Analysis a, Given given);

    default GcFinding clear() {
        return new GcFinding.Clear(id());
    }

    default GcFinding notApplicable(String reason) {
        return new GcFinding.NotApplicable(id(), reason);
    }

    default GcFinding found(
            Severity severity,
            String says,
            String why,
            List<Evidence> evidence,
            List<String> advice,
            String verify) {
        return new GcFinding.Found(
                new GcDiagnosis(
                        id(),
                        severity,
                        says,
                        why,
                        evidence,
                        advice,
                        verify,
                        Optional.empty(),
                        Optional.empty()));
    }

    /// The same finding, with the heap its advice asks for.
    static GcFinding asking(double heapBytes, GcFinding finding) {
        return finding instanceof GcFinding.Found(GcDiagnosis d) && heapBytes > 0
                ? new GcFinding.Found(d.withHeap(heapBytes))
                : finding;
    }

    /// A heap with twice the room beside what lives: cycles and full collections half as often;
    /// twice the live set where there is hardly any room. 0 when the log does not tell, or the
    /// machine has not the memory.
    static double twiceTheRoom(Analysis a) {
        double live = a.heap().liveBytes().orElse(0.0);
        double max =
                (a.collector().isPauseless() ? a.heap().maxBytes() : a.heap().sizeBytes())
                        .orElse(0.0);
        double heap = Math.max(live + 2 * (max - live), 2 * live);
        double memory =
                a.setup().physicalBytes().isPresent()
                        ? GcLimits.HEAP_OF_MEMORY * a.setup().physicalBytes().getAsLong()
                        : Double.MAX_VALUE;
        return max > 0 && live <= max && heap < memory ? heap : 0;
    }

    /// `-Xmx2g`, or, where the heap could have grown so far and did not, `-Xms2g`.
    static String heapFlag(Analysis a, double heapBytes) {
        boolean allowed = heapBytes <= a.heap().maxBytes().orElse(0.0);
        return (allowed ? "-Xms" : "-Xmx") + flag(heapBytes);
    }

    /// One of two texts, as the JDK that wrote this log knows unified logging (9 and later) or not.
    static String byJdk(Analysis a, String unified, String legacy) {
        return a.setup().unified() ? unified : legacy;
    }

    /// `once`, `3 times`.
    static String times(long count) {
        return count == 1 ? "once" : count + " times";
    }

    /// `1 full collection`, `3 full collections`.
    static String count(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    static String bytes(double bytes) {
        return new Bytes(Math.max(0, Math.round(bytes))).toString();
    }

    static String ms(double ms) {
        return Durations.format(Duration.ofNanos(Math.round(ms * 1e6)));
    }

    /// A long time in the unit a person would say it in.
    static String span(double seconds) {
        double hours = seconds / 3600;
        if (hours < 3) {
            return ms(seconds * 1000);
        }
        return hours < 72
                ? String.format(Locale.ROOT, "%.0f hours", hours)
                : String.format(Locale.ROOT, "%.0f days", hours / 24);
    }

    /// A size as a flag takes it, rounded up to whole MiB.
    static String flag(double bytes) {
        return (long) Math.ceil(bytes / (1 << 20)) + "m";
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
