package dev.jdyno.gclog;

import java.util.function.Consumer;

/// What the readers of one log share.
final class LogState {
    final Consumer<GcEvent> events;
    final PhaseTable phases = new PhaseTable();
    final LogClock clock = new LogClock();
    final Names names = new Names();
    final SetupDraft setup = new SetupDraft();

    /// Number of the present line.
    long line;

    Collector collector = Collector.UNKNOWN;
    boolean generational;

    LogState(Consumer<GcEvent> events) {
        this.events = events;
    }

    /// Takes what a line implies, unless a clearer line has said it.
    void looksLike(Collector implied) {
        if (collector == Collector.UNKNOWN) {
            collector = implied;
        }
    }
}
