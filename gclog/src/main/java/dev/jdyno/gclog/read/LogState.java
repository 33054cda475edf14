package dev.jdyno.gclog.read;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.Names;
import dev.jdyno.gclog.event.PhaseTable;
import dev.jdyno.measure.gc.Collector;
import java.util.function.Consumer;

/// The state that the readers of one log share.
public final class LogState {
    public final Consumer<GcEvent> events;
    public final PhaseTable phases = new PhaseTable();
    public final LogClock clock = new LogClock();
    public final Names names = new Names();
    public final SetupDraft setup = new SetupDraft();

    /// Number of the current line.
    public long line;

    public Collector collector = Collector.UNKNOWN;
    public boolean generational;

    public LogState(Consumer<GcEvent> events) {
        this.events = events;
    }

    /// Sets the collector that a line implies, unless it is known already.
    public void assume(Collector implied) {
        if (collector == Collector.UNKNOWN) {
            collector = implied;
        }
    }
}
