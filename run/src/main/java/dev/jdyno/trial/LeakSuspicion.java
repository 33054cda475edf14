package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.List;
import java.util.Locale;

/// True if it is worth stopping the target to count its live objects. One of three signs suffices:
/// the lowest occupancy of the old generation was higher in the last round than ever before; full
/// collections follow each other and leave most of it; or the collector marks all the time and
/// frees nothing. Each of them means a large live set or a leak. The lowest occupancy is used,
/// because objects promoted during warm-up may be collected later.
final class LeakSuspicion {
    /// Minimum rise over all rounds, as a share of the old generation, that is worth a count. The
    /// count then shows whether it is a leak.
    private static final double RISE = 0.03;

    /// Maximum occupancy for which live objects are counted. Above it, the count would stop the
    /// target for more than about a second.
    private static final Bytes MAX_OCCUPANCY = Bytes.mebi(2048);

    /// Minimum share of the old generation still in use after successive full collections from
    /// which the live objects are counted.
    private static final double LEFT = 0.5;

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
        if (staysFull(last) || rounds.stream().anyMatch(LeakSuspicion::marksInVain)) {
            return true;
        }
        double rise = last.oldUsedBytes().orElse(0.0) - lowest;
        double capacity = last.oldCapacityBytes().orElse(0.0);
        return floorOf(last) <= MAX_OCCUPANCY.value()
                && floorOf(last) >= highestBefore
                && rise > 0
                && rise >= RISE * capacity;
    }

    /// The warning that reports the cost of the counts.
    static Warning counted(Signals grown) {
        return new Warning(
                "live-count",
                String.format(
                        Locale.ROOT,
                        "live objects were counted after the rounds because the old generation grows or"
                                + " stays full; the longest JVM stop for that took %.0f ms"
                                + " (--no-live-count leaves it out)",
                        grown.of(Sign.LIVE_COUNT_PAUSE_MS).orElse(0.0)),
                false);
    }

    private static boolean staysFull(GcActivity last) {
        double left = last.afterFullBytes().orElse(0.0);
        return left > 0
                && left <= MAX_OCCUPANCY.value()
                && left >= LEFT * last.oldCapacityBytes().orElse(Double.POSITIVE_INFINITY);
    }

    /// True if the collector marks concurrently all the time and frees nothing. Then live objects
    /// are counted, as after successive full collections.
    private static boolean marksInVain(Round round) {
        return round.gc()
                .filter(gc -> gc.marksInVain(round.seconds()))
                .filter(gc -> floorOf(gc) <= MAX_OCCUPANCY.value())
                .isPresent();
    }

    private static double floorOf(GcActivity gc) {
        return gc.why().oldFloorBytes().orElse(0.0);
    }
}
