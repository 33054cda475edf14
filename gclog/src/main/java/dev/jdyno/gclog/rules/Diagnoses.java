package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.gclog.sums.Analysis;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/// Asks every rule.
public final class Diagnoses {
    /// Share of a log's lines that look like a GC log's and could not be read, beyond which nothing
    /// is diagnosed: what is missing may be what matters.
    public static final double MOST_BROKEN = 0.1;

    /// Share of lines of any other origin beyond which nothing is diagnosed.
    public static final double MOST_UNREAD = 0.9;

    /// Causes before what they bring about: of two diagnoses of the same severity the one to act on
    /// comes first.
    static final List<GcRule> RULES =
            List.of(
                    new Leak(),
                    new LiveSet(),
                    new MetaspaceGc(),
                    new ExplicitGc(),
                    new CpuStarved(),
                    new SystemTime(),
                    new PhysicalMemory(),
                    new AllocationStalls(),
                    new Degenerated(),
                    new Pacing(),
                    new ConcurrentModeFailure(),
                    new Humongous(),
                    new EvacuationFailure(),
                    new MarkingTooLate(),
                    new MixedBehind(),
                    new GcLocker(),
                    new PrematurePromotion(),
                    new SurvivorOverflow(),
                    new OverTenuring(),
                    new PromotionBurst(),
                    new GenerationSizes(),
                    new YoungTooSmall(),
                    new CmsTrigger(),
                    new CyclesBackToBack(),
                    new LongRemark(),
                    new ReferenceProcessing(),
                    new TimeToSafepoint(),
                    new OtherSafepoints(),
                    new FullGc(),
                    new GcOverhead(),
                    new LongPause(),
                    new PauseGoal(),
                    new LocalThrash(),
                    new HeapResizing(),
                    new InitialHeap(),
                    new PromotionRate(),
                    new WrongCollector(),
                    new GcThreads(),
                    new GcCpu(),
                    new Flags(),
                    new ObsoleteFlags(),
                    new LogHygiene());

    /// What a diagnosis brings about: it is as urgent as that, and so stands before it.
    private static final Map<String, Set<String>> BRINGS_ABOUT =
            Map.of(
                    "live-set", Set.of("full-gc"),
                    "humongous",
                            Set.of(
                                    "evacuation-failure",
                                    "marking-too-late",
                                    "full-gc",
                                    "gc-overhead",
                                    "gc-cpu"),
                    "premature-promotion", Set.of("concurrent-mode-failure", "gc-overhead"),
                    "survivor-overflow", Set.of("concurrent-mode-failure", "gc-overhead"));

    /// Torn lines of any log: its begin and its end may have been cut off.
    private static final long CUT = 2;

    private Diagnoses() {}

    /// Whether too little of the log was understood to say what is wrong.
    public static boolean isWithheld(Analysis a) {
        return (a.lines().broken() > CUT && a.lines().brokenShare() > MOST_BROKEN)
                || a.lines().unread() > MOST_UNREAD * a.lines().total();
    }

    /// What every rule says; empty when judgement is withheld.
    ///
    /// @param qps requests per second that the log's JVM served
    public static List<GcFinding> findings(Analysis a, OptionalDouble qps) {
        if (isWithheld(a)) {
            return List.of();
        }
        GcRule.Given given = new GcRule.Given(qps);
        return RULES.stream().map(rule -> rule.evaluate(a, given)).toList();
    }

    /// What is wrong, worst first.
    ///
    /// @param qps requests per second that the log's JVM served
    public static List<GcDiagnosis> of(Analysis a, OptionalDouble qps) {
        List<GcDiagnosis> found =
                findings(a, qps).stream()
                        .filter(GcFinding.Found.class::isInstance)
                        .map(f -> ((GcFinding.Found) f).diagnosis())
                        .toList();
        return found.stream()
                .map(d -> asUrgent(d, found))
                .sorted(Comparator.comparing(GcDiagnosis::severity).reversed())
                .toList();
    }

    /// True if the figure that makes it a cause does. `humongous` is also found by the part of the
    /// heap that such objects fill: then they set no collection off.
    private static boolean reachesItsLimit(GcDiagnosis d) {
        GcDiagnosis.Evidence first = d.evidence().getFirst();
        return first.value() >= first.limit();
    }

    private static GcDiagnosis asUrgent(GcDiagnosis cause, List<GcDiagnosis> all) {
        Set<String> effects = BRINGS_ABOUT.getOrDefault(cause.id(), Set.of());
        return cause.severity() == Severity.WARNING
                        && reachesItsLimit(cause)
                        && all.stream()
                                .anyMatch(d ->
                                        d.severity() == Severity.CRITICAL
                                                && effects.contains(d.id()))
                ? cause.withSeverity(Severity.CRITICAL)
                : cause;
    }
}
