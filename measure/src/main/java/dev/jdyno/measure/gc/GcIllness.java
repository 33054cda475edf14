package dev.jdyno.measure.gc;

import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Optional;

/// Faults that a GC log can show, causes before their effects. Of two findings with the same
/// severity, the one that is first in this enum should be fixed. A fault has the name that a run
/// reports for it, if there is one. Common limits are in {@link GcLimits}, advice in {@link
/// GcAdvices}.
public enum GcIllness {
    LEAK("leak", Bottleneck.GC_LEAK),
    LIVE_SET("live-set", Bottleneck.GC_LIVE_SET),
    METASPACE_GC("metaspace-gc"),
    EXPLICIT_GC("explicit-gc", Bottleneck.GC_EXPLICIT),
    CPU_STARVED("cpu-starved"),
    SYSTEM_TIME("system-time"),
    PHYSICAL_MEMORY("physical-memory"),
    ALLOCATION_STALL("allocation-stall", Bottleneck.GC_STALL),
    DEGENERATED("degenerated", Bottleneck.GC_STALL),
    PACING("pacing", Bottleneck.GC_STALL),
    CONCURRENT_MODE_FAILURE("concurrent-mode-failure"),
    HUMONGOUS("humongous", Bottleneck.GC_HUMONGOUS),
    EVACUATION_FAILURE("evacuation-failure"),
    MARKING_TOO_LATE("marking-too-late"),
    MIXED_BEHIND("mixed-behind"),
    GC_LOCKER("gc-locker"),
    PREMATURE_PROMOTION("premature-promotion", Bottleneck.GC_PROMOTION),
    SURVIVOR_OVERFLOW("survivor-overflow", Bottleneck.GC_PROMOTION),
    OVER_TENURING("over-tenuring"),
    PROMOTION_BURST("promotion-burst"),
    GENERATION_SIZES("generation-sizes"),
    YOUNG_TOO_SMALL("young-too-small", Bottleneck.GC_ALLOCATION),
    CMS_TRIGGER("cms-trigger"),
    CYCLES_BACK_TO_BACK("cycles-back-to-back"),
    LONG_REMARK("long-remark"),
    REFERENCE_PROCESSING("reference-processing"),
    TIME_TO_SAFEPOINT("time-to-safepoint", Bottleneck.SAFEPOINT),
    OTHER_SAFEPOINTS("other-safepoints", Bottleneck.SAFEPOINT),
    FULL_GC("full-gc"),
    GC_OVERHEAD("gc-overhead", Bottleneck.GC_ALLOCATION),
    LONG_PAUSE("long-pause"),
    PAUSE_GOAL("pause-goal"),
    LOCAL_THRASH("local-thrash"),
    HEAP_RESIZING("heap-resizing"),
    INITIAL_HEAP("initial-heap"),
    PROMOTION_RATE("promotion-rate", Bottleneck.GC_PROMOTION),
    WRONG_COLLECTOR("wrong-collector"),
    GC_THREADS("gc-threads"),
    GC_CPU("gc-cpu", Bottleneck.GC_ALLOCATION),
    FLAGS("flags"),
    OBSOLETE_FLAGS("obsolete-flags"),
    LOG("log");

    private final String key;

    // an Optional whose value is an enum constant is immutable
    @SuppressWarnings("ImmutableEnumChecker")
    private final Optional<Bottleneck> bottleneck;

    GcIllness(String key) {
        this.key = key;
        bottleneck = Optional.empty();
    }

    GcIllness(String key, Bottleneck bottleneck) {
        this.key = key;
        this.bottleneck = Optional.of(bottleneck);
    }

    /// The name in JSON and on the terminal.
    public String key() {
        return key;
    }

    /// The bottleneck that a run reports for the same fault; empty if it has no name for it.
    public Optional<Bottleneck> bottleneck() {
        return bottleneck;
    }

    /// True if this fault causes the other one. A finding about the cause is at least as urgent as
    /// one about the effect, and is listed first.
    public boolean bringsAbout(GcIllness other) {
        return switch (this) {
            case LIVE_SET -> other == FULL_GC;
            case HUMONGOUS ->
                    switch (other) {
                        case EVACUATION_FAILURE, MARKING_TOO_LATE, FULL_GC, GC_OVERHEAD, GC_CPU ->
                                true;
                        default -> false;
                    };
            case PREMATURE_PROMOTION, SURVIVOR_OVERFLOW ->
                    other == CONCURRENT_MODE_FAILURE || other == GC_OVERHEAD;
            default -> false;
        };
    }
}
