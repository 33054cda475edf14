package dev.jdyno.gclog;

import dev.jdyno.measure.ShenandoahCycle;
import java.util.ArrayList;
import java.util.List;

/// Keeps what Shenandoah told of its cycles, for forecasts.
final class ShenandoahMeter {
    /// The first so many, which is some minutes to hours: what follows is taken to go on like them.
    private static final int MOST = 1 << 12;

    private final List<ShenandoahCycle> cycles = new ArrayList<>();

    void take(GcEvent.Cycle c) {
        if (cycles.size() < MOST) {
            c.shenandoah().ifPresent(cycles::add);
        }
    }

    /// In the order in which they began.
    List<ShenandoahCycle> finish() {
        return List.copyOf(cycles);
    }
}
