package dev.jdyno.observe.gc;

import dev.jdyno.measure.thread.ThreadCounts.Stops;

/// The collector's counters at one instant. Names are HotSpot's; the collector determines which of
/// them exist:
///
/// | collector | 0 | 1 | 2 |
/// | --- | --- | --- | --- |
/// | Serial, Parallel | young pauses | full pauses | – |
/// | G1 | young and mixed pauses | full pauses | remark and cleanup |
/// | ZGC of 17 | – | – | all pauses |
/// | ZGC of 21+ | minor pauses | – | major pauses |
/// | Shenandoah | – | all pauses, called "full" | – |
///
/// @param young collections except full ones
/// @param youngNanos pause time of these collections
/// @param otherNanos pauses of concurrent cycles, which are not separate collections
/// @param tlabBytes bytes that threads took as allocation buffers between the last two collections
/// @param collecting whether the application is stopped for a collection now. Then some counters
///   are from the start of this collection and others from the end of the previous one.
/// @param edenUsed used bytes of eden, as far as the collector updates it between collections (G1:
///   by region)
/// @param otherPauses number of the pauses of concurrent cycles; two of them end a cycle of G1
/// @param lastCause HotSpot's name of the last collection's cause
/// @param safepointSyncNanos time from the request of a safepoint until all threads had stopped
/// @param heapInOne whether the heap has no separate old generation; the values of "old" are then
///   those of the whole heap
public record GcCounters(
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

    /// Stops of the JVM since `before`. A pause may be in progress at one of the two readings. Then
    /// only one of the counters includes a part of it, and the difference may be negative.
    ///
    /// @param seconds time between the two
    Stops stopsSince(GcCounters before, double seconds) {
        long others = safepointNanos - before.safepointNanos - pauseNanosSince(before);
        return new Stops(
                Math.max(0, others) / 1e9 / seconds,
                (safepointSyncNanos - before.safepointSyncNanos) / 1e9 / seconds,
                (safepoints - before.safepoints) / seconds);
    }

    /// Time for which the collector stopped the application since `before`. Shenandoah of JDK 17
    /// counts a stop once for each of its nested steps (16.5 s in 10 s, with safepoints of 3.2 s).
    /// So the result is at most the time of all stops.
    public long pauseNanosSince(GcCounters before) {
        long paused = pauseNanos() - before.pauseNanos();
        long stopped = safepointNanos - before.safepointNanos;
        return heapInOne && stopped > 0 ? Math.min(paused, stopped) : paused;
    }

    public long pauseNanos() {
        return youngNanos + fullNanos + otherNanos;
    }
}
