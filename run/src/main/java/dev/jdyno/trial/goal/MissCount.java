package dev.jdyno.trial.goal;

import dev.jdyno.capacity.goal.OpenTrial;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.load.Goal;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/// Counts the requests of a window that missed each goal. A failed request misses every goal.
public final class MissCount {
    private MissCount() {}

    public static OpenTrial.Slice of(List<Goal> goals, LoadWindow seen) {
        long errors = seen.errors();
        List<Long> misses = new ArrayList<>();
        for (Goal g : goals) {
            Histogram times = g.firstByte() ? seen.replies().firstByteNanos() : seen.latencyNanos();
            long slow =
                    g.limitMs().isEmpty()
                            ? 0
                            : times.getTotalCount()
                                    - times.getCountBetweenValues(
                                            0, Math.round(g.limitMs().getAsDouble() * 1e6));
            misses.add(slow + errors);
        }
        return new OpenTrial.Slice(
                seen.seconds(), seen.requests() + errors, misses, seen.inFlight());
    }
}
