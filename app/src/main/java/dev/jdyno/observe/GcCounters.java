package dev.jdyno.observe;

import dev.jdyno.measure.ThreadCounts.Stops;
import dev.jdyno.target.PerfData;

/// The collector's counters at one instant. Names are HotSpot's; which of them exist depends on the
/// collector:
///
/// | collector | 0 | 1 | 2 |
/// | --- | --- | --- | --- |
/// | Serial, Parallel | young pauses | full pauses | – |
/// | G1 | young and mixed pauses | full pauses | remark and cleanup |
/// | ZGC of 17 | – | – | all pauses |
/// | ZGC of 21+ | minor pauses | – | major pauses |
/// | Shenandoah | – | all pauses, called "full" | – |
///
/// @param young collections that are no full ones
/// @param youngNanos their pause time
/// @param otherNanos pauses of concurrent cycles, which are no collections of their own
/// @param tlabBytes what threads took as allocation buffers between the last two collections
/// @param collecting whether the application stands still for a collection now: then counters of
///   the collection's start and of the last one's end are mixed
/// @param edenUsed as far as the collector keeps it up to date between collections (G1: by region)
/// @param otherPauses how many pauses those were; two of them end a cycle of G1
/// @param lastCause HotSpot's name of what set the last collection off
/// @param safepointSyncNanos time from the call for a safepoint until all threads had stopped
/// @param heapInOne no separate old generation: "old" is the whole heap
record GcCounters(
        boolean collecting,
        long young,
        long youngNanos,
        long full,
        long fullNanos,
        long otherNanos,
        long tlabBytes,
        long edenUsed,
        long edenCapacity,
        boolean edenFillsBeforeCollection,
        long oldUsed,
        long oldCapacity,
        boolean heapInOne,
        long safepoints,
        long safepointNanos,
        long safepointSyncNanos,
        String lastCause,
        long otherPauses,
        long threadsStarted,
        long classesLoaded) {

    private static final int HEAP_WORD_BYTES = 8;

    static GcCounters read(PerfData perf) {
        String first = perf.text("sun.gc.collector.0.name").orElse("");
        boolean shenandoah = first.startsWith("Shenandoah");
        boolean zOf17 = first.isEmpty();
        boolean generational = !shenandoah && !zOf17;
        double nanosPerTick = 1e9 / get(perf, "sun.os.hrt.frequency", 1_000_000_000);
        long[] count = new long[3];
        long[] nanos = new long[3];
        for (int i = 0; i < 3; i++) {
            count[i] = get(perf, "sun.gc.collector." + i + ".invocations", 0);
            nanos[i] = Math.round(get(perf, "sun.gc.collector." + i + ".time", 0) * nanosPerTick);
        }
        String lastCause = perf.text("sun.gc.lastCause").orElse("");
        String cause = perf.text("sun.gc.cause").orElse("No GC");
        return new GcCounters(
                generational && !first.startsWith("ZGC") && !cause.equals("No GC"),
                generational ? count[0] : 0,
                generational ? nanos[0] : 0,
                shenandoah ? 0 : count[1],
                shenandoah ? 0 : nanos[1],
                shenandoah ? nanos[1] : nanos[2],
                get(perf, "sun.gc.tlab.alloc", 0) * HEAP_WORD_BYTES,
                get(perf, "sun.gc.generation.0.space.0.used", 0),
                get(perf, "sun.gc.generation.0.space.0.capacity", 0),
                lastCause.equals("Allocation Failure") || lastCause.equals("G1 Evacuation Pause"),
                get(perf, "sun.gc.generation.1.space.0.used", 0),
                get(perf, "sun.gc.generation.1.space.0.capacity", 0),
                !generational,
                get(perf, "sun.rt.safepoints", 0),
                Math.round(get(perf, "sun.rt.safepointTime", 0) * nanosPerTick),
                Math.round(get(perf, "sun.rt.safepointSyncTime", 0) * nanosPerTick),
                lastCause,
                shenandoah ? count[1] : count[2],
                get(perf, "java.threads.started", 0),
                get(perf, "java.cls.loadedClasses", 0)
                        + get(perf, "java.cls.sharedLoadedClasses", 0));
    }

    private static long get(PerfData perf, String name, long otherwise) {
        return perf.value(name).orElse(otherwise);
    }

    /// How the JVM stood still since `before`. A pause that goes on at one of the two looks is
    /// counted in part by one counter and not by the other, so the difference may be below nothing.
    ///
    /// @param seconds between the two
    Stops stopsSince(GcCounters before, double seconds) {
        long others = safepointNanos - before.safepointNanos - (pauseNanos() - before.pauseNanos());
        return new Stops(
                Math.max(0, others) / 1e9 / seconds,
                (safepointSyncNanos - before.safepointSyncNanos) / 1e9 / seconds,
                (safepoints - before.safepoints) / seconds);
    }

    long pauseNanos() {
        return youngNanos + fullNanos + otherNanos;
    }
}
