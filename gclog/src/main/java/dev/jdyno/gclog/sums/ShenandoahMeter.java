package dev.jdyno.gclog.sums;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.ArrayList;
import java.util.List;

/// Keeps the figures of Shenandoah's cycles for forecasts.
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

    /// Number of cycles in the log, kept or not.
    long count() {
        return count;
    }

    /// The cycles in the order of their starts.
    List<ShenandoahCycle> finish() {
        return List.copyOf(cycles);
    }
}
