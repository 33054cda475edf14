package dev.jdyno.observe.gc;

import dev.jdyno.measure.thread.ThreadCounts.Stops;

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

    /// How the JVM stood still since `before`. A pause that goes on at one of the two looks is
    /// counted in part by one counter and not by the other, so the difference may be below nothing.
    ///
    /// @param seconds between the two
    Stops stopsSince(GcCounters before, double seconds) {
        long others = safepointNanos - before.safepointNanos - pauseNanosSince(before);
        return new Stops(
                Math.max(0, others) / 1e9 / seconds,
                (safepointSyncNanos - before.safepointSyncNanos) / 1e9 / seconds,
                (safepoints - before.safepoints) / seconds);
    }

    /// Time the collector stopped the application for since `before`. Shenandoah of JDK 17 counts a
    /// stop once for each of its nested steps (16.5 s in 10 s, of which safepoints were 3.2), so
    /// that no more is believed than all stops took together.
    public long pauseNanosSince(GcCounters before) {
        long paused = pauseNanos() - before.pauseNanos();
        long stopped = safepointNanos - before.safepointNanos;
        return heapInOne && stopped > 0 ? Math.min(paused, stopped) : paused;
    }

    public long pauseNanos() {
        return youngNanos + fullNanos + otherNanos;
    }
}
