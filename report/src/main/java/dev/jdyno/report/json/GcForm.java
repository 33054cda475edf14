package dev.jdyno.report.json;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.PhaseTotal;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;
import dev.jdyno.measure.load.Incomplete;
import dev.jdyno.measure.statistics.Trend;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// `jdyno/gc/1`: its components are the keys of the contract, in their order.
record GcForm(
        String schema,
        String source,
        String collector,
        boolean generational,
        Optional<String> jdk,
        double spanS,
        long lines,
        long linesUnread,
        long linesSkipped,
        long linesForeign,
        long linesBroken,
        long linesJoined,
        List<Analysis.Unread> firstUnread,
        List<Part> incomplete,
        int jvmStarts,
        Map<String, Long> events,
        Spread pausesMs,
        Map<String, Spread> pausesByKindMs,
        double pauseGoalMs,
        double pausesAboveGoalPct,
        Stopped stoppedMs,
        List<WorstWindow> worstWindows,
        Optional<Double> throughputPct,
        Heap heap,
        Optional<Double> allocBytesPerS,
        Optional<Double> promotedBytesPerS,
        Optional<Double> requestBytes,
        List<CauseTotal> causes,
        List<SafepointTotal> safepoints,
        Map<String, Long> troubles,
        Tenuring tenuring,
        List<PhaseTotal> phases,
        boolean diagnosesWithheld,
        List<Diagnosis> diagnoses) {
    /// Kinds of events that are counted, whether the log has any or not.
    private static final List<String> COUNTED =
            List.of(
                    "young",
                    "mixed",
                    "full",
                    "initialMark",
                    "remark",
                    "cleanup",
                    "concurrent",
                    "degenerated",
                    "concurrentStart",
                    "prepareMixed",
                    "minor",
                    "major",
                    "undo",
                    "aborted",
                    "step");

    static GcForm of(
            Analysis a, OptionalDouble qps, List<GcDiagnosis> diagnoses, boolean withheld) {
        Analysis.Lines lines = a.lines();
        return new GcForm(
                "jdyno/gc/1",
                a.source(),
                a.collector().key(),
                a.generational(),
                a.setup().jdk(),
                a.spanS(),
                lines.total(),
                lines.unread(),
                lines.skipped(),
                lines.foreign(),
                lines.broken(),
                lines.joined(),
                lines.firstUnread(),
                a.incomplete().stream().map(Part::of).toList(),
                a.restarts() + 1,
                events(a),
                Spread.of(a.pauses()),
                byKind(a),
                a.pauseGoalMs(),
                100 * a.pausesAboveGoal(),
                Stopped.of(a.stopped()),
                a.stopped().worst().stream().map(WorstWindow::of).toList(),
                a.throughputPct(),
                Heap.of(a.heap()),
                a.allocBytesPerS(),
                a.promotedBytesPerS(),
                qps.isPresent()
                        ? a.allocBytesPerS().map(rate -> rate / qps.getAsDouble())
                        : Optional.empty(),
                a.causes().stream().map(CauseTotal::of).toList(),
                a.safepoints().stream().map(SafepointTotal::of).toList(),
                troubles(a),
                Tenuring.of(a.ages()),
                a.phases(),
                withheld,
                diagnoses.stream().map(Diagnosis::of).toList());
    }

    private static Map<String, Long> events(Analysis a) {
        Map<String, Long> counts = new LinkedHashMap<>();
        COUNTED.forEach(kind -> counts.put(kind, a.count(kind)));
        counts.put("allocationStall", a.stalls().count());
        return counts;
    }

    private static Map<String, Spread> byKind(Analysis a) {
        Map<String, Spread> spreads = new LinkedHashMap<>();
        for (PauseKind kind : PauseKind.values()) {
            Distribution d = a.pausesByKind().get(kind);
            if (d != null) {
                spreads.put(kind.key(), Spread.of(d));
            }
        }
        return spreads;
    }

    private static Map<String, Long> troubles(Analysis a) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Trouble t : Trouble.values()) {
            if (a.trouble(t).any()) {
                counts.put(t.key(), a.trouble(t).count());
            }
        }
        return counts;
    }

    /// A compressed file that was not read to its end.
    record Part(String file, String kind, long behindLine, String says) {
        static Part of(Incomplete i) {
            return new Part(i.file(), i.kind().key(), i.behindLine(), i.says());
        }
    }

    /// How pauses spread, in ms.
    record Spread(
            long count,
            double total,
            double mean,
            double p50,
            double p90,
            double p95,
            double p99,
            double p999,
            double max,
            long maxLine) {
        private static Spread of(Distribution d) {
            return new Spread(
                    d.count(),
                    d.total(),
                    d.mean(),
                    d.p50(),
                    d.p90(),
                    d.p95(),
                    d.p99(),
                    d.p999(),
                    d.max(),
                    d.maxLine());
        }
    }

    record Stopped(
            double gc,
            double otherSafepoints,
            double stalls,
            double reaching,
            double leaving,
            boolean safepointsLogged) {
        private static Stopped of(Analysis.Stopped s) {
            return new Stopped(
                    s.gcMs(),
                    s.otherMs(),
                    s.stallsMs(),
                    s.reachingMs(),
                    s.leavingMs(),
                    s.safepointsLogged());
        }
    }

    /// @param mmuPct minimum mutator utilisation of a window of this length
    record WorstWindow(double seconds, double stoppedPct, double mmuPct, double endS, long line) {
        private static WorstWindow of(Analysis.WorstWindow w) {
            return new WorstWindow(
                    w.seconds(), w.stoppedPct(), 100 - w.stoppedPct(), w.endS(), w.line());
        }
    }

    record Heap(
            Optional<Double> maxBytes,
            Optional<Double> liveBytes,
            boolean liveIsUpperBound,
            long highestBytes,
            Optional<Double> youngBytes,
            Optional<Double> oldCapacityBytes,
            Optional<Double> oldUsedBytes,
            long humongousMaxBytes,
            Optional<Double> liveTrendBytesPerS) {
        private static Heap of(Analysis.Heap h) {
            return new Heap(
                    h.maxBytes(),
                    h.liveBytes(),
                    h.liveIsUpperBound(),
                    h.highestBytes(),
                    h.youngBytes(),
                    h.oldCapacityBytes(),
                    h.oldUsedBytes(),
                    h.humongousMaxBytes(),
                    h.trend().map(Trend::perS));
        }
    }

    record CauseTotal(String kind, String cause, long count, double totalMs, double maxMs) {
        private static CauseTotal of(Analysis.CauseTotal c) {
            return new CauseTotal(c.kind().key(), c.cause(), c.count(), c.totalMs(), c.maxMs());
        }
    }

    record SafepointTotal(
            String operation,
            boolean ofGc,
            long count,
            double totalMs,
            double maxMs,
            double maxReachingMs) {
        private static SafepointTotal of(Analysis.SafepointTotal s) {
            return new SafepointTotal(
                    s.operation(), s.ofGc(), s.count(), s.totalMs(), s.maxMs(), s.maxReachingMs());
        }
    }

    /// @param lowered collections that lowered the threshold
    record Tenuring(
            long collections,
            long tables,
            double desiredBytes,
            int lowestThreshold,
            int maxThreshold,
            long lowered,
            long ageOneAboveDesired,
            List<Double> meanBytesByAge) {
        private static Tenuring of(Analysis.Ages ages) {
            return new Tenuring(
                    ages.collections(),
                    ages.tables(),
                    ages.desiredBytes(),
                    ages.lowestThreshold(),
                    ages.maxThreshold(),
                    ages.lowered().count(),
                    ages.ageOneAbove().count(),
                    ages.meanBytes());
        }
    }

    /// What is wrong.
    record Diagnosis(
            String id,
            String severity,
            String says,
            String why,
            List<GcDiagnosis.Evidence> evidence,
            List<String> advice,
            Optional<String> predicted,
            String verify) {
        private static Diagnosis of(GcDiagnosis d) {
            return new Diagnosis(
                    d.id(),
                    d.severity().key(),
                    d.says(),
                    d.why(),
                    d.evidence(),
                    d.advice(),
                    d.predicted(),
                    d.verify());
        }
    }
}
