package dev.jdyno.report.json;

import dev.jdyno.gclog.GcComparison;
import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.PhaseTotal;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.Distribution;
import dev.jdyno.measure.load.Incomplete;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The document `jdyno/gc/1`. Its components are the documented keys, in their order
/// (docs/json.md).
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
        List<Incomplete> incomplete,
        int jvmStarts,
        Map<String, Long> events,
        Distribution pausesMs,
        Map<String, Distribution> pausesByKindMs,
        double pauseGoalMs,
        double pausesAboveGoalPct,
        Analysis.Stopped stoppedMs,
        List<Analysis.WorstWindow> worstWindows,
        Optional<Double> throughputPct,
        Analysis.Heap heap,
        Optional<Double> allocBytesPerS,
        Optional<Double> promotedBytesPerS,
        Optional<Double> requestBytes,
        List<Analysis.CauseTotal> causes,
        List<Analysis.SafepointTotal> safepoints,
        Map<String, Long> troubles,
        Analysis.Ages tenuring,
        List<PhaseTotal> phases,
        boolean diagnosesWithheld,
        List<GcDiagnosis> diagnoses) {
    /// The keys of the records of a log, and of those of a comparison ({@link GcComparisonForm}).
    static final Map<Class<?>, Keys<?>> KEYS =
            Stream.of(
                            Keys.of(Incomplete.class, "file kind=kind.key behindLine says"),
                            Keys.of(
                                    Distribution.class,
                                    "count total mean p50 p90 p95 p99 p999 max maxLine"),
                            Keys.of(
                                    Analysis.Stopped.class,
                                    "gc=gcMs otherSafepoints=otherMs stalls=stallsMs reaching=reachingMs"
                                            + " leaving=leavingMs safepointsLogged"),
                            Keys.of(
                                    Analysis.WorstWindow.class,
                                    "seconds stoppedPct mmuPct endS line"),
                            Keys.of(
                                    Analysis.Heap.class,
                                    "maxBytes liveBytes liveIsUpperBound highestBytes youngBytes"
                                            + " oldCapacityBytes oldUsedBytes humongousMaxBytes"
                                            + " liveTrendBytesPerS=trend.perS"),
                            Keys.of(
                                    Analysis.CauseTotal.class,
                                    "kind=kind.key cause count totalMs maxMs"),
                            Keys.of(
                                    Analysis.SafepointTotal.class,
                                    "operation ofGc count totalMs maxMs maxReachingMs"),
                            Keys.of(
                                    Analysis.Ages.class,
                                    "collections tables desiredBytes lowestThreshold maxThreshold"
                                            + " lowered=lowered.count ageOneAboveDesired=ageOneAbove.count"
                                            + " meanBytesByAge=meanBytes"),
                            Keys.of(
                                    GcDiagnosis.class,
                                    "id severity=severity.key says why evidence advice predicted verify"),
                            Keys.of(
                                    GcComparison.Row.class,
                                    "name=key unit=unit.key before after ratio"))
                    .collect(Collectors.toUnmodifiableMap(Keys::type, keys -> keys));

    /// Kinds of events whose count is always written, even if it is 0.
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
                a.incomplete(),
                a.restarts() + 1,
                events(a),
                a.pauses(),
                byKind(a),
                a.pauseGoalMs(),
                100 * a.pausesAboveGoal(),
                a.stopped(),
                a.stopped().worst(),
                a.throughputPct(),
                a.heap(),
                a.allocBytesPerS(),
                a.promotedBytesPerS(),
                qps.isPresent()
                        ? a.allocBytesPerS().map(rate -> rate / qps.getAsDouble())
                        : Optional.empty(),
                a.causes(),
                a.safepoints(),
                troubles(a),
                a.ages(),
                a.phases(),
                withheld,
                diagnoses);
    }

    private static Map<String, Long> events(Analysis a) {
        Map<String, Long> counts = new LinkedHashMap<>();
        COUNTED.forEach(kind -> counts.put(kind, a.count(kind)));
        counts.put("allocationStall", a.stalls().count());
        return counts;
    }

    private static Map<String, Distribution> byKind(Analysis a) {
        Map<String, Distribution> spreads = new LinkedHashMap<>();
        for (PauseKind kind : PauseKind.values()) {
            Distribution d = a.pausesByKind().get(kind);
            if (d != null) {
                spreads.put(kind.key(), d);
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
}
