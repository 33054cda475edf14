package dev.jdyno.gclog.sums;

import java.util.Optional;

/// Allocation and promotion rates from what the collections tell: what the heap gained from the end
/// of one collection to the begin of the next was allocated (F7).
final class AllocationMeter {
    private boolean hasAfter;
    private long afterBytes;
    private double afterS;
    private double allocated;
    private double promoted;
    private boolean hasPromoted;
    private double seconds;
    private long collections;

    /// A collection in which the space went from `before` to `after`.
    ///
    /// @param duringBytes allocated while it ran, beside it
    /// @param beginS when it began; `endS` when it ended
    /// @return what was allocated since the last one
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

    /// A new JVM begins: its heap has nothing to do with the last one's.
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
