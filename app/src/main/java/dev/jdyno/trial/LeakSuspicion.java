package dev.jdyno.trial;

import dev.jdyno.measure.Bytes;
import dev.jdyno.measure.GcActivity;
import dev.jdyno.measure.Round;
import java.util.List;
import java.util.Optional;

/// Whether it is worth stopping the target to count its live objects: what its old generation holds
/// at the least rose from each round to the next.
final class LeakSuspicion {
    /// Rise over all rounds, as a share of the old generation, that a warm-up does not explain.
    private static final double RISE = 0.10;

    /// Occupancy above which counting would stop the target for more than about a second.
    private static final Bytes AT_MOST = Bytes.mebi(2048);

    private LeakSuspicion() {}

    static boolean of(List<Round> rounds) {
        List<GcActivity> seen = rounds.stream().flatMap(r -> r.gc().stream()).toList();
        if (seen.size() < 2) {
            return false;
        }
        double lowest = 0;
        for (GcActivity gc : seen) {
            Optional<Double> floor = gc.why().oldFloorBytes();
            if (floor.isEmpty() || floor.get() < lowest) {
                return false;
            }
            lowest = floor.get();
        }
        double rise = seen.getLast().oldUsedBytes().orElse(0.0) - floorOf(seen.getFirst());
        double capacity = seen.getLast().oldCapacityBytes().orElse(0.0);
        return lowest <= AT_MOST.value() && rise > 0 && rise >= RISE * capacity;
    }

    private static double floorOf(GcActivity gc) {
        return gc.why().oldFloorBytes().orElse(0.0);
    }
}
