package dev.jdyno.measure.gc;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.KnownChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// Advice against the faults of a collector, shared by `run`, `diagnose` and `gc`. The rules of a
/// run add gains and places in the code. The rules of a log add rates and single collections.
public final class GcAdvices {
    /// Minimum share of the heap for the old generation.
    private static final double OLD_SHARE = 0.25;

    /// Minimum share of the heap for the old generation if the live set is unknown.
    private static final double OLD_SHARE_UNKNOWN = 0.4;

    /// Size of the old generation ÷ live bytes: half of the live set again for promotions until the
    /// next collection.
    public static final double OLD_PER_LIVE = 1.5;

    /// Value of SurvivorRatio below which Eden has less than two thirds of the young generation.
    private static final int EDEN_SHORT_BELOW = 4;

    private static final int RATIO_BY_DEFAULT = 8;

    /// Factor by which the size of a G1 region is raised. The size of the large arrays is unknown,
    /// because neither counters nor a usual log contain it.
    private static final int REGION_TIMES = 8;

    /// Minimum number of regions in a heap. With it, the 5 % of the heap that G1 gives at least to
    /// the young generation are more than one region.
    private static final long MIN_REGIONS = 32;

    /// The largest region size that every version of G1 supports.
    private static final long LARGEST_REGION = 32L << 20;

    /// Time in ms after which the JVM names a thread that has not stopped for a safepoint. A
    /// healthy thread stops well within 1 ms.
    private static final int LATE_MS = 50;

    /// First JDK release in which collectors with short pauses allow counted loops to stop
    /// (JDK-8186027).
    private static final int STRIP_MINING_FROM = 10;

    private static final double MIB = 1 << 20;

    private static final String LOOP_POLLS = "UseCountedLoopSafepoints";

    private GcAdvices() {}

    /// Advice against collections that cost too much: halve their number.
    public static GcAdvice halfAsManyCollections(GcSetting g) {
        return heap(
                g,
                g.twiceTheRoom(),
                g.liveBytes()
                                .map(live -> "twice the room beside " + size(live) + " alive, so ")
                                .orElse("")
                        + "half as many collections");
    }

    /// Advice to set the heap to this size.
    public static GcAdvice heap(GcSetting g, double bytes, String why) {
        return heap(g, Optional.of(bytes), why);
    }

    /// Advice against a heap that is full of live objects.
    public static GcAdvice largeHeap(GcSetting g) {
        boolean times = g.liveBytes().isPresent();
        return heap(g, g.roomy(), times ? say("%.0f × the live set", GcSetting.ROOMY) : "");
    }

    /// Advice for a heap size. If the maximum heap size already allows it, the advice is to start
    /// with that size.
    private static GcAdvice heap(GcSetting g, Optional<Double> bytes, String why) {
        if (bytes.isEmpty()) {
            return GcAdvice.of(
                    KnownChange.HEAP_DOUBLE,
                    "twice -Xmx",
                    List.of(new Change.SystemSetting("heap", new Change.Amount.Times(2))),
                    "Give the JVM twice the heap",
                    why);
        }
        String flag = flag(bytes.get());
        var first = new Change.JvmFlag("-Xms", flag);
        boolean allowed = mayGrowTo(g, bytes.get());
        var max = new Change.JvmFlag("-Xmx", flag);
        return GcAdvice.of(
                KnownChange.HEAP_DOUBLE,
                (allowed ? first : max).argument(),
                allowed ? List.of(first) : List.of(max, first),
                g.liveBytes().isPresent()
                        ? "Give the JVM a heap of " + size(bytes.get())
                        : "Give the JVM twice the heap",
                why);
    }

    private static boolean mayGrowTo(GcSetting g, double bytes) {
        return bytes <= g.heapMaxBytes().orElse(0.0);
    }

    /// Advice for a heap of this size. If the machine has too little memory for that heap: advice
    /// to reduce the live set.
    public static GcAdvice heapIfItFits(GcSetting g, double bytes, String why) {
        return g.hasMemoryFor(bytes) ? heap(g, bytes, why) : liveLess().because(why);
    }

    /// Advice for a young generation of this size (F9). For G1 the advice is a larger heap instead,
    /// because a fixed young size switches off its control of pauses.
    ///
    /// @param atLeast minimum size in bytes
    /// @param why reason for the size
    public static GcAdvice young(GcSetting g, double atLeast, String why) {
        double wanted = Math.ceil(atLeast / MIB) * MIB;
        double max = g.heapMaxBytes().orElse(0.0);
        double now = g.youngBytes().orElse(0.0);
        double old =
                g.liveBytes()
                        .map(live ->
                                Math.max(OLD_PER_LIVE * live, Math.min(max - now, OLD_SHARE * max)))
                        .orElse(OLD_SHARE_UNKNOWN * max);
        double heap = g.liveBytes().isPresent() ? wanted + old : wanted / (1 - OLD_SHARE_UNKNOWN);
        if (g.collector() == Collector.G1) {
            double live = OLD_PER_LIVE * g.liveBytes().orElse(0.0);
            double bytes = Math.max(wanted + live, g.twiceTheRoom().orElse(heap));
            return GcAdvice.flag(
                    KnownChange.YOUNG,
                    new Change.JvmFlag(mayGrowTo(g, bytes) ? "-Xms" : "-Xmx", flag(bytes)),
                    "Give G1 room for a young generation of " + size(wanted),
                    why + "; G1 sizes young itself, and -Xmn would switch its pause control off");
        }
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.JvmFlag("-Xmn", flag(wanted)));
        boolean heapGrows = max > 0 && wanted > max - old;
        if (heapGrows) {
            changes.add(new Change.JvmFlag("-Xmx", flag(heap)));
        }
        Optional<Integer> ratio = smallSurvivorRatio(g);
        ratio.ifPresent(_ ->
                changes.add(
                        new Change.JvmFlag(
                                "-XX:SurvivorRatio", Integer.toString(RATIO_BY_DEFAULT))));
        return GcAdvice.of(
                KnownChange.YOUNG,
                typed(changes),
                changes,
                "Make the young generation " + size(wanted),
                why
                        + (heapGrows ? "; the heap has no room for it beside what lives" : "")
                        + ratio.map(r ->
                                        say(
                                                ", and take -XX:SurvivorRatio=%d back, which leaves"
                                                        + " Eden only %d %% of it",
                                                r, 100 * r / (r + 2)))
                                .orElse(""));
    }

    private static Optional<Integer> smallSurvivorRatio(GcSetting g) {
        int ratio = GcSetting.number(g.flags(), "SurvivorRatio").orElse(RATIO_BY_DEFAULT);
        return ratio > 0 && ratio < EDEN_SHORT_BELOW ? Optional.of(ratio) : Optional.empty();
    }

    /// Advice for survivor spaces and an Eden of given sizes (dynamic age, F11). Parallel keeps
    /// these sizes only without adaptive sizing (experiment E20).
    ///
    /// @param heap new heap size in bytes if the present heap is too small for these spaces; else 0
    /// @param says what to do
    public static GcAdvice survivors(
            GcSetting g, double survivor, double eden, double heap, String says, String why) {
        long ratio = Math.max(1, Math.round(eden / survivor));
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.JvmFlag("-XX:SurvivorRatio", Long.toString(ratio)));
        changes.add(new Change.JvmFlag("-Xmn", flag(eden + 2 * survivor)));
        if (heap > 0) {
            changes.add(new Change.JvmFlag("-Xms", flag(heap)));
            changes.add(new Change.JvmFlag("-Xmx", flag(heap)));
        }
        if (g.collector() == Collector.PARALLEL && !g.isOff("UseAdaptiveSizePolicy")) {
            changes.add(new Change.JvmFlag("-XX:-UseAdaptiveSizePolicy"));
        }
        return GcAdvice.of(KnownChange.SURVIVORS, typed(changes), changes, says, why);
    }

    /// Advice for a larger heap if survivors overflow and the collector has no setting for their
    /// size.
    public static GcAdvice survivorSpace(GcSetting g) {
        return halfAsManyCollections(g).because("young and survivors grow with it");
    }

    /// Advice to allocate less per request. It applies to high allocation, survivor overflow and a
    /// full heap.
    public static GcAdvice allocateLess() {
        return GcAdvice.byHand(
                KnownChange.ALLOCATE_LESS,
                "Allocate half as much in a request",
                "a profile of allocations shows where (jdyno diagnose PID)");
    }

    public static GcAdvice holdLess() {
        return GcAdvice.byHand(
                KnownChange.HOLD_LESS,
                "Release a request's memory before the request waits",
                "what lives while a request waits is what is promoted (F6, E5, E20)");
    }

    public static GcAdvice liveLess() {
        return GcAdvice.byHand(
                KnownChange.LIVE_LESS,
                "Keep less alive",
                "limits for caches and sessions, smaller entries");
    }

    public static GcAdvice leak() {
        return GcAdvice.byHand(
                KnownChange.LEAK_CLOSE,
                "Find what grows and release it",
                "compare two class histograms (`jcmd PID GC.class_histogram`, each stops the"
                        + " service), then look in a heap dump at what holds the class that grew:"
                        + " sessions, listeners, thread locals and maps without a limit first (E7);"
                        + " a larger heap only buys time");
    }

    /// Advice for more concurrent collector threads: twice the present number, or half of the CPUs
    /// if the number is unknown. Empty if that is not more than now.
    public static Optional<GcAdvice> concurrentThreads(GcSetting g) {
        int cpus = g.cpus().orElse(Integer.MAX_VALUE);
        int now = g.concurrentThreads().orElse(0);
        int more = now > 0 ? Math.min(2 * now, cpus) : g.cpus().isEmpty() ? 0 : (cpus + 1) / 2;
        return more <= Math.max(1, now)
                ? Optional.empty()
                : Optional.of(
                        GcAdvice.flag(
                                KnownChange.GC_THREADS,
                                new Change.JvmFlag("-XX:ConcGCThreads", Integer.toString(more)),
                                "Let the collector use more threads beside the application",
                                (now > 0 ? "now " + now + ", so cycles are shorter; " : "")
                                        + "it takes that CPU from requests: only where cores are"
                                        + " idle"));
    }

    public static GcAdvice takeCallsOut() {
        return GcAdvice.byHand(
                KnownChange.GC_CALLER,
                "Remove the call of System.gc()",
                "many direct buffers and RMI (sun.rmi.dgc intervals) call it, too; the event"
                        + " jdk.SystemGC of a flight recording has the caller");
    }

    /// Advice against explicit collections. G1 and CMS can run them concurrently; the other
    /// collectors should ignore the call.
    public static GcAdvice ignoreCalls(GcSetting g) {
        boolean concurrent = g.collector() == Collector.G1 || g.collector() == Collector.CMS;
        return GcAdvice.flag(
                KnownChange.GC_IGNORED,
                new Change.JvmFlag(
                        concurrent ? "-XX:+ExplicitGCInvokesConcurrent" : "-XX:+DisableExplicitGC"),
                concurrent
                        ? "Let " + g.collector().key() + " run System.gc() beside the application"
                        : "Let the JVM ignore System.gc()",
                "if direct buffers call it, raise -XX:MaxDirectMemorySize instead, or they run out");
    }

    /// Advice for larger G1 regions; empty if the heap would have too few regions of any larger
    /// size.
    public static Optional<GcAdvice> regions(GcSetting g) {
        double heap = g.heapMaxBytes().orElse(0.0);
        long now = g.regionOrDefault();
        long larger = Math.min(LARGEST_REGION, REGION_TIMES * now);
        while (larger > now && heap / larger < MIN_REGIONS) {
            larger /= 2;
        }
        return larger <= now
                ? Optional.empty()
                : Optional.of(
                        GcAdvice.flag(
                                KnownChange.REGIONS_LARGER,
                                new Change.JvmFlag("-XX:G1HeapRegionSize", flag((double) larger)),
                                "Make G1's regions larger than twice the largest array",
                                "arrays up to "
                                        + size(larger / 2.0)
                                        + " are then ordinary ones; a log with"
                                        + " gc+humongous=debug has their sizes"));
    }

    public static GcAdvice smallerArrays() {
        return GcAdvice.byHand(
                KnownChange.ARRAYS_SMALLER,
                "Make large arrays smaller: stream the data, or split it",
                "the event jdk.ObjectAllocationSample of a flight recording has what allocates"
                        + " them");
    }

    /// Advice to give counted loops a safepoint poll. The polls are missing if the flag is off or
    /// this collector has none by default. Empty if the loops have polls.
    public static Optional<GcAdvice> loopPolls(GcSetting g) {
        String says = "Let counted loops stop in the middle";
        String but = "it helps if the thread is in a loop, not in a copy";
        if (g.isOff(LOOP_POLLS)) {
            String flag = "-XX:-" + LOOP_POLLS;
            return Optional.of(
                    GcAdvice.of(
                            KnownChange.LOOP_POLLS,
                            "remove " + flag,
                            List.of(new Change.WithoutJvmFlag(flag)),
                            says,
                            "the flag leaves counted loops without polls; " + but));
        }
        boolean byDefault =
                g.jdk().orElse(STRIP_MINING_FROM) >= STRIP_MINING_FROM
                        && (g.collector() == Collector.G1 || g.collector().isPauseless());
        return g.isOn(LOOP_POLLS) || byDefault || g.collector() == Collector.UNKNOWN
                ? Optional.empty()
                : Optional.of(
                        GcAdvice.flag(
                                KnownChange.LOOP_POLLS,
                                new Change.JvmFlag("-XX:+" + LOOP_POLLS),
                                says,
                                "not the default of this JDK with this collector; " + but));
    }

    /// Advice to find the thread that all others wait for.
    ///
    /// @param ms time in ms that all other threads waited. The JVM must name the thread within that
    ///   time.
    public static GcAdvice nameLateThread(double ms) {
        int delay = ms >= LATE_MS ? LATE_MS : (int) Math.max(1, ms / 2);
        List<Change> changes =
                List.of(
                        new Change.JvmFlag("-XX:+SafepointTimeout"),
                        new Change.JvmFlag("-XX:SafepointTimeoutDelay", Integer.toString(delay)));
        return GcAdvice.of(
                KnownChange.LATE_THREAD,
                typed(changes),
                changes,
                "Let the JVM name the thread that is slow to stop",
                "the JVM then prints the threads that have not stopped after "
                        + delay
                        + " ms; usual are counted loops, copying or filling large arrays, memory"
                        + " mapped files on a slow disk, and too few cores");
    }

    /// Advice against a tool that repeatedly counts the objects of the heap or dumps it.
    public static GcAdvice inspectLess() {
        return GcAdvice.of(
                KnownChange.INSPECT_LESS,
                "",
                List.of(new Change.Outside()),
                "Stop the process that asks for class histograms or heap dumps in a loop",
                "`jcmd PID GC.class_histogram -all` and `jmap -histo` without :live count without"
                        + " collecting first");
    }

    private static String typed(List<Change> changes) {
        return changes.stream()
                .map(c -> ((Change.Launch) c).written())
                .collect(Collectors.joining(" "));
    }

    private static String size(double bytes) {
        return new Bytes(Math.max(0, Math.round(bytes))).toString();
    }

    /// A size in the syntax of a flag, rounded up to whole MiB.
    public static String flag(double bytes) {
        return (long) Math.ceil(bytes / MIB) + "m";
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
