package dev.jdyno.gclog;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/// Adds up the events since the last call, for a log that is followed.
public final class LiveTally implements Consumer<GcEvent> {
    private long pauses;
    private double totalMs;
    private double longestMs;
    private long full;
    private long cycles;
    private long stalls;
    private double otherMs;
    private double pausesSinceSafepointMs;
    private double lastS;
    private double reportedUntilS;
    private boolean any;
    private Optional<GcEvent.Occupancy> heap = Optional.empty();

    @Override
    public void accept(GcEvent event) {
        any = true;
        lastS = Math.max(lastS, event.when().uptimeS());
        switch (event) {
            case GcEvent.Pause p -> {
                if (!p.nested()) {
                    pauses++;
                    totalMs += p.ms();
                    longestMs = Math.max(longestMs, p.ms());
                    pausesSinceSafepointMs += p.ms();
                }
                full += p.kind() == PauseKind.FULL ? 1 : 0;
                heap = p.heap().or(() -> heap);
            }
            case GcEvent.Cycle c -> {
                cycles++;
                heap = c.heap().or(() -> heap);
            }
            case GcEvent.SafepointStop s -> {
                otherMs += Math.max(0, s.totalMs() - pausesSinceSafepointMs);
                pausesSinceSafepointMs = 0;
            }
            case GcEvent.Stall _ -> stalls++;
            case GcEvent.ConcurrentPhase _, GcEvent.JvmStart _ -> {}
        }
    }

    /// The events since the last call.
    ///
    /// @param atS time of the log, in seconds since the JVM started
    /// @param sinceS time of the log at the last call
    /// @param heap occupancy before and after the last collection that shows it
    public record Since(
            double atS,
            double sinceS,
            long pauses,
            double totalMs,
            double longestMs,
            long full,
            long cycles,
            long stalls,
            double otherMs,
            Optional<GcEvent.Occupancy> heap) {
        /// Share of the time in which the application was stopped, in percent; empty if no time has
        /// passed.
        public OptionalDouble stoppedPct() {
            return atS > sinceS
                    ? OptionalDouble.of((totalMs + otherMs) / 10 / (atS - sinceS))
                    : OptionalDouble.empty();
        }
    }

    /// The events since the last call, or empty if there are none. Starts a new tally.
    public Optional<Since> take() {
        if (!any) {
            return Optional.empty();
        }
        var since =
                new Since(
                        lastS,
                        reportedUntilS,
                        pauses,
                        totalMs,
                        longestMs,
                        full,
                        cycles,
                        stalls,
                        otherMs,
                        heap);
        forget();
        return Optional.of(since);
    }

    private void forget() {
        any = false;
        pauses = 0;
        totalMs = 0;
        longestMs = 0;
        full = 0;
        cycles = 0;
        stalls = 0;
        otherMs = 0;
        reportedUntilS = lastS;
    }
}
