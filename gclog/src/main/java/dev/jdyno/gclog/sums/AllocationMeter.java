package dev.jdyno.gclog.sums;

import java.util.Optional;

/// Allocation and promotion rates from the collections. The bytes allocated between two collections
/// are the growth of the heap from the end of one to the start of the next (F7).
final class AllocationMeter {
    private boolean hasAfter;
    private long afterBytes;
    private double afterS;
    private double allocated;
    private double promoted;
    private boolean hasPromoted;
    private double seconds;
    private long collections;

    /// Records a collection in which the occupancy changed from `before` to `after`.
    ///
    /// @param duringBytes bytes allocated while a concurrent collection ran
    /// @param beginS start of the collection; `endS` is its end
    /// @return bytes allocated since the last collection
    double collection(long before, long after, long duringBytes, double beginS, double endS) {
        double since = 0;
        if (hasAfter && endS >= afterS) {
            since = Math.max(0, before - afterBytes) + (double) duringBytes;
            allocated += since;
            seconds += endS - afterS;
        }
        hasAfter = true;
        afterBytes = after;
        afterS = Math.max(afterS, endS);
        collections++;
        return since;
    }

    void promoted(long bytes) {
        hasPromoted = true;
        promoted += bytes;
    }

    /// Called when a new JVM begins, whose heap is independent of the last one.
    void restart() {
        hasAfter = false;
    }

    double allocatedBytes() {
        return allocated;
    }

    double promotedBytes() {
        return promoted;
    }

    Optional<Double> allocatedPerS() {
        return seconds > 0 && collections > 1 ? Optional.of(allocated / seconds) : Optional.empty();
    }

    Optional<Double> promotedPerS() {
        return hasPromoted && seconds > 0 ? Optional.of(promoted / seconds) : Optional.empty();
    }
}
