package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.ArrayList;
import java.util.List;

/// Keeps what Shenandoah told of its cycles, for forecasts.
final class ShenandoahMeter {
    private final List<ShenandoahCycle> cycles = new ArrayList<>();
    private long count;

    void take(GcEvent.Cycle c) {
        if (c.shenandoah().isEmpty()) {
            return;
        }
        count++;
        if (cycles.size() < ShenandoahCycle.KEPT) {
            cycles.add(c.shenandoah().get());
        }
    }

    /// How many the log showed, kept or not.
    long count() {
        return count;
    }

    /// In the order in which they began.
    List<ShenandoahCycle> finish() {
        return List.copyOf(cycles);
    }
}
