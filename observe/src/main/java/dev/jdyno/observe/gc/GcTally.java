package dev.jdyno.observe.gc;

import dev.jdyno.measure.gc.GcActivity;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Adds up a collector's activity from frequent readings of its counters.
///
/// Allocation is not published as a running total, so it is summed per collection. Between two
/// readings with `n` collections each is credited with the value that the last one reports. This is
/// its allocation buffers, or the whole eden if it ran because eden was full. Objects larger than a
/// buffer go to eden directly, so the buffers alone would miss them. The part of eden filled since
/// the last collection is added if the collector updates it. The error is at most one eden per
/// window, and a few percent of unused buffer ends.
///
/// Promotion is the sum of the increases of the old generation's occupancy. It is right as long as
/// readings are more frequent than full collections.
final class GcTally {
    /// Minimum size of the allocation buffers, as a share of eden, at which their size is used
    /// instead of eden's. JDK 17's G1 reports eden up to 7 % too large, so above this share the
    /// buffers are the better figure.
    private static final double BUFFERS_EXPLAIN_EDEN = 0.85;

    /// Pauses of one concurrent cycle of G1: remark and cleanup.
    private static final long PAUSES_PER_CYCLE = 2;

    private @Nullable GcCounters first;
    private @Nullable GcCounters last;
    private double allocated;
    private double promoted;
    private double oldFloor = Double.POSITIVE_INFINITY;
    private final Map<String, Long> causes = new HashMap<>();

    /// @return whether the collector has worked since the previous reading
    boolean add(GcCounters now) {
        GcCounters before = last;
        if (now.collecting() && before != null) {
            return true;
        }
        last = now;
        oldFloor = Math.min(oldFloor, (double) now.oldUsed());
        if (before == null) {
            first = now;
            return false;
        }
        long collections = Math.max(now.young() - before.young(), now.full() - before.full());
        if (collections > 0) {
            double each = now.tlabBytes();
            if (now.edenFillsBeforeCollection()
                    && each < BUFFERS_EXPLAIN_EDEN * before.edenCapacity()) {
                each = before.edenCapacity();
            }
            allocated += collections * each + now.edenUsed() - before.edenUsed();
        } else if (now.edenUsed() > before.edenUsed()) {
            allocated += now.edenUsed() - before.edenUsed();
        }
        promoted += Math.max(0, now.oldUsed() - before.oldUsed());
        boolean worked = collections > 0 || now.otherPauses() > before.otherPauses();
        if (worked) {
            causes.merge(now.lastCause(), 1L, Long::sum);
        }
        return worked;
    }

    /// Activity since the last call. Counting starts again from the newest reading.
    ///
    /// @param seconds length of the window
    Optional<GcActivity> take(double seconds) {
        GcCounters from = first;
        GcCounters to = last;
        if (from == null || to == null) {
            return Optional.empty();
        }
        boolean whole = to.heapInOne();
        var activity =
                new GcActivity(
                        new GcActivity.Count(
                                to.young() - from.young(),
                                (to.youngNanos() - from.youngNanos()) / 1e6),
                        new GcActivity.Count(
                                to.full() - from.full(), (to.fullNanos() - from.fullNanos()) / 1e6),
                        to.pauseNanosSince(from) / 1e9 / seconds,
                        whole ? Optional.empty() : Optional.of(Math.max(0, allocated) / seconds),
                        whole ? Optional.empty() : Optional.of(promoted / seconds),
                        Optional.empty(),
                        Optional.of((double) to.oldUsed()),
                        Optional.of((double) to.oldCapacity()),
                        Optional.empty(),
                        new GcActivity.Why(
                                causes,
                                (to.otherPauses() - from.otherPauses()) / PAUSES_PER_CYCLE,
                                Optional.of(oldFloor).filter(Double::isFinite),
                                Optional.empty()));
        first = to;
        causes.clear();
        oldFloor = (double) to.oldUsed();
        allocated = 0;
        promoted = 0;
        return Optional.of(activity);
    }
}
