package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcIllness;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/// Applies every rule to an analysis.
public final class Diagnoses {
    /// Maximum share of lines that look like a GC log's but could not be read. Above it there is no
    /// diagnosis, because the missing lines may be the important ones.
    public static final double MAX_BROKEN = 0.1;

    /// Maximum share of unread lines of any origin. Above it there is no diagnosis.
    public static final double MAX_UNREAD = 0.9;

    /// Number of torn lines that any log may have, because its start and its end may be cut off.
    private static final long CUT = 2;

    private Diagnoses() {}

    /// True if too little of the log was read for a diagnosis.
    public static boolean isWithheld(Analysis a) {
        return (a.lines().broken() > CUT && a.lines().brokenShare() > MAX_BROKEN)
                || a.lines().unread() > MAX_UNREAD * a.lines().total();
    }

    /// The results of all rules; empty if too little of the log was read.
    ///
    /// @param qps requests per second that the log's JVM served
    public static List<GcFinding> findings(Analysis a, OptionalDouble qps) {
        if (isWithheld(a)) {
            return List.of();
        }
        GcRule.Given given = new GcRule.Given(qps);
        return Stream.of(GcIllness.values())
                .map(illness -> rule(illness).evaluate(a, given).of(illness))
                .toList();
    }

    private static GcRule rule(GcIllness illness) {
        return switch (illness) {
            case LEAK -> new Leak();
            case LIVE_SET -> new LiveSet();
            case METASPACE_GC -> new MetaspaceGc();
            case EXPLICIT_GC -> new ExplicitGc();
            case CPU_STARVED -> new CpuStarved();
            case SYSTEM_TIME -> new SystemTime();
            case PHYSICAL_MEMORY -> new PhysicalMemory();
            case ALLOCATION_STALL -> new AllocationStalls();
            case DEGENERATED -> new Degenerated();
            case PACING -> new Pacing();
            case CONCURRENT_MODE_FAILURE -> new ConcurrentModeFailure();
            case HUMONGOUS -> new Humongous();
            case EVACUATION_FAILURE -> new EvacuationFailure();
            case MARKING_TOO_LATE -> new MarkingTooLate();
            case MIXED_BEHIND -> new MixedBehind();
            case GC_LOCKER -> new GcLocker();
            case PREMATURE_PROMOTION -> new PrematurePromotion();
            case SURVIVOR_OVERFLOW -> new SurvivorOverflow();
            case OVER_TENURING -> new OverTenuring();
            case PROMOTION_BURST -> new PromotionBurst();
            case GENERATION_SIZES -> new GenerationSizes();
            case YOUNG_TOO_SMALL -> new YoungTooSmall();
            case CMS_TRIGGER -> new CmsTrigger();
            case CYCLES_BACK_TO_BACK -> new CyclesBackToBack();
            case LONG_REMARK -> new LongRemark();
            case REFERENCE_PROCESSING -> new ReferenceProcessing();
            case TIME_TO_SAFEPOINT -> new TimeToSafepoint();
            case OTHER_SAFEPOINTS -> new OtherSafepoints();
            case FULL_GC -> new FullGc();
            case GC_OVERHEAD -> new GcOverhead();
            case LONG_PAUSE -> new LongPause();
            case PAUSE_GOAL -> new PauseGoal();
            case LOCAL_THRASH -> new LocalThrash();
            case HEAP_RESIZING -> new HeapResizing();
            case INITIAL_HEAP -> new InitialHeap();
            case PROMOTION_RATE -> new PromotionRate();
            case WRONG_COLLECTOR -> new WrongCollector();
            case GC_THREADS -> new GcThreads();
            case GC_CPU -> new GcCpu();
            case FLAGS -> new Flags();
            case OBSOLETE_FLAGS -> new ObsoleteFlags();
            case LOG -> new LogHygiene();
        };
    }

    /// The diagnoses, worst first.
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

    /// True if a diagnosis can be the cause of others: its decisive figure reaches the limit.
    /// `humongous` is also found by the share of the heap that such objects fill. In that case they
    /// trigger no collection and are not a cause.
    private static boolean reachesItsLimit(GcDiagnosis d) {
        GcDiagnosis.Evidence first = d.evidence().getFirst();
        return first.value() >= first.limit();
    }

    private static GcDiagnosis asUrgent(GcDiagnosis cause, List<GcDiagnosis> all) {
        return cause.severity() == Severity.WARNING
                        && reachesItsLimit(cause)
                        && all.stream()
                                .anyMatch(d ->
                                        d.severity() == Severity.CRITICAL
                                                && cause.illness().bringsAbout(d.illness()))
                ? cause.withSeverity(Severity.CRITICAL)
                : cause;
    }
}
