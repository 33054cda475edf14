package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Validity.Warning;
import java.util.List;
import java.util.Locale;

/// Whether it is worth stopping the target to count its live objects: its old generation never held
/// as much, at the least, as in the last round, or full collections come one after the other and
/// leave most of it, or it is marked all the time and nothing is freed: then it is a large live set
/// or a leak. What was promoted while it warmed up may have been collected in between.
final class LeakSuspicion {
    /// Rise over all rounds, as a share of the old generation, that is worth a count: whether it is
    /// a leak, the count says.
    private static final double RISE = 0.03;

    /// Occupancy above which counting would stop the target for more than about a second.
    private static final Bytes AT_MOST = Bytes.mebi(2048);

    /// Share of the old generation that full collections in series leave from which it is asked
    /// what that is.
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
        return floorOf(last) <= AT_MOST.value()
                && floorOf(last) >= highestBefore
                && rise > 0
                && rise >= RISE * capacity;
    }

    /// What the counts cost, which is reported in any case.
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
                && left <= AT_MOST.value()
                && left >= LEFT * last.oldCapacityBytes().orElse(Double.POSITIVE_INFINITY);
    }

    /// Whether the collector marks beside the service all the time and frees nothing: what lives is
    /// then worth knowing as after full collections in series.
    private static boolean marksInVain(Round round) {
        return round.gc()
                .filter(gc -> gc.marksInVain(round.seconds()))
                .filter(gc -> floorOf(gc) <= AT_MOST.value())
                .isPresent();
    }

    private static double floorOf(GcActivity gc) {
        return gc.why().oldFloorBytes().orElse(0.0);
    }
}
