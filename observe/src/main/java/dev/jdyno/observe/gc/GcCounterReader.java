package dev.jdyno.observe.gc;

import dev.jdyno.target.PerfData;
import dev.jdyno.target.PerfData.Counter;
import dev.jdyno.target.PerfData.Label;

/// Reads {@link GcCounters}. Every counter is located once. Looking counters up by name 50 times a
/// second kept jdyno's own compilers busy for the first ten seconds of a run. They took cores from
/// the measured target.
///
/// Not thread-safe.
public final class GcCounterReader {
    private static final int HEAP_WORD_BYTES = 8;
    private static final int COLLECTORS = 3;

    /// Value of HotSpot's counter for the cause while no collection runs.
    private static final String NO_CAUSE = "No GC";

    private final double nanosPerTick;
    private final Label firstCollector;
    private final Label cause;
    private final Label lastCause;
    private final Counter[] invocations = new Counter[COLLECTORS];
    private final Counter[] times = new Counter[COLLECTORS];
    private final Counter tlabWords;
    private final Counter edenUsed;
    private final Counter edenCapacity;
    private final Counter oldUsed;
    private final Counter oldCapacity;
    private final Counter safepoints;
    private final Counter safepointTime;
    private final Counter safepointSyncTime;
    private final Counter threadsStarted;
    private final Counter classesLoaded;
    private final Counter sharedClassesLoaded;

    public GcCounterReader(PerfData perf) {
        nanosPerTick = 1e9 / perf.value("sun.os.hrt.frequency").orElse(1_000_000_000L);
        firstCollector = perf.label("sun.gc.collector.0.name");
        cause = perf.label("sun.gc.cause");
        lastCause = perf.label("sun.gc.lastCause");
        for (int i = 0; i < COLLECTORS; i++) {
            invocations[i] = perf.counter("sun.gc.collector." + i + ".invocations");
            times[i] = perf.counter("sun.gc.collector." + i + ".time");
        }
        tlabWords = perf.counter("sun.gc.tlab.alloc");
        edenUsed = perf.counter("sun.gc.generation.0.space.0.used");
        edenCapacity = perf.counter("sun.gc.generation.0.space.0.capacity");
        oldUsed = perf.counter("sun.gc.generation.1.space.0.used");
        oldCapacity = perf.counter("sun.gc.generation.1.space.0.capacity");
        safepoints = perf.counter("sun.rt.safepoints");
        safepointTime = perf.counter("sun.rt.safepointTime");
        safepointSyncTime = perf.counter("sun.rt.safepointSyncTime");
        threadsStarted = perf.counter("java.threads.started");
        classesLoaded = perf.counter("java.cls.loadedClasses");
        sharedClassesLoaded = perf.counter("java.cls.sharedLoadedClasses");
    }

    public GcCounters read() {
        String first = firstCollector.or("");
        boolean shenandoah = first.startsWith("Shenandoah");
        boolean zOf17 = first.isEmpty();
        boolean generational = !shenandoah && !zOf17;
        long count1 = invocations[1].or(0);
        long nanos1 = nanos(times[1]);
        String last =
                causeOfStop(
                        !generational || first.startsWith("ZGC"),
                        cause.or(NO_CAUSE),
                        lastCause.or(""));
        return new GcCounters(
                generational && !first.startsWith("ZGC") && !cause.or(NO_CAUSE).equals(NO_CAUSE),
                generational ? invocations[0].or(0) : 0,
                generational ? nanos(times[0]) : 0,
                shenandoah ? 0 : count1,
                shenandoah ? 0 : nanos1,
                shenandoah ? nanos1 : nanos(times[2]),
                tlabWords.or(0) * HEAP_WORD_BYTES,
                edenUsed.or(0),
                edenCapacity.or(0),
                last.equals("Allocation Failure") || last.equals("G1 Evacuation Pause"),
                oldUsed.or(0),
                oldCapacity.or(0),
                !generational,
                safepoints.or(0),
                nanos(safepointTime),
                nanos(safepointSyncTime),
                last,
                shenandoah ? count1 : invocations[2].or(0),
                threadsStarted.or(0),
                classesLoaded.or(0) + sharedClassesLoaded.or(0));
    }

    /// The cause of the latest stop. Shenandoah and ZGC stop several times in one cycle, so during
    /// a cycle it is the present cause. With the other collectors the collection has ended with the
    /// stop, so it is the last cause.
    ///
    /// @param inCycles true for Shenandoah and ZGC
    static String causeOfStop(boolean inCycles, String now, String last) {
        return inCycles && !now.equals(NO_CAUSE) ? now : last;
    }

    private long nanos(Counter ticks) {
        return Math.round(ticks.or(0) * nanosPerTick);
    }
}
