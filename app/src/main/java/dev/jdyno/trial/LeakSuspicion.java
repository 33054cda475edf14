package dev.jdyno.trial;

import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.GcActivity;
import dev.jdyno.measure.Round;
import java.util.List;

/// Whether it is worth stopping the target to count its live objects: its old generation never held
/// as much, at the least, as in the last round. What was promoted while it warmed up may have been
/// collected in between.
final class LeakSuspicion {
    /// Rise over all rounds, as a share of the old generation, that is worth a count: whether it is
    /// a leak, the count says.
    private static final double RISE = 0.03;

    /// Occupancy above which counting would stop the target for more than about a second.
    private static final Bytes AT_MOST = Bytes.mebi(2048);

    private LeakSuspicion() {}

    static boolean of(List<Round> rounds) {
        List<GcActivity> seen = rounds.stream().flatMap(r -> r.gc().stream()).toList();
        if (seen.size() < 2) {
            return false;
        }
        double lowest = Double.POSITIVE_INFINITY;
        double highestBefore = 0;
        for (GcActivity gc : seen) {
            if (gc.why().oldFloorBytes().isEmpty()) {
                return false;
            }
            lowest = Math.min(lowest, floorOf(gc));
        }
        for (GcActivity gc : seen.subList(0, seen.size() - 1)) {
            highestBefore = Math.max(highestBefore, floorOf(gc));
        }
        GcActivity last = seen.getLast();
        double rise = last.oldUsedBytes().orElse(0.0) - lowest;
        double capacity = last.oldCapacityBytes().orElse(0.0);
        return floorOf(last) <= AT_MOST.value()
                && floorOf(last) >= highestBefore
                && rise > 0
                && rise >= RISE * capacity;
    }

    private static double floorOf(GcActivity gc) {
        return gc.why().oldFloorBytes().orElse(0.0);
    }
}
