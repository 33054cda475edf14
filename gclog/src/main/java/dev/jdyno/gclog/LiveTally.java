package dev.jdyno.gclog;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// What happened in a log since one last asked: the live line of a log that is followed.
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
    private double toldS;
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

    /// One line on what came since the last call, which then is forgotten; empty when nothing came.
    public Optional<String> line() {
        if (!any) {
            return Optional.empty();
        }
        StringBuilder line =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "%.1fs: %d pauses, %s, longest %s",
                                lastS,
                                pauses,
                                GcText.ms(totalMs),
                                GcText.ms(longestMs)));
        if (lastS > toldS) {
            line.append(
                    String.format(
                            Locale.ROOT, " (%.2f %%)", (totalMs + otherMs) / 10 / (lastS - toldS)));
        }
        count(line, full, "full");
        count(line, cycles, "concurrent");
        count(line, stalls, "stalls");
        if (otherMs > 0) {
            line.append("; other safepoints ").append(GcText.ms(otherMs));
        }
        heap.ifPresent(o ->
                line.append("; heap ")
                        .append(GcText.bytes((double) o.beforeBytes()))
                        .append(" -> ")
                        .append(GcText.bytes((double) o.afterBytes())));
        forget();
        return Optional.of(line.toString());
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
        toldS = lastS;
    }

    private static void count(StringBuilder line, long count, String what) {
        if (count > 0) {
            line.append(", ").append(count).append(' ').append(what);
        }
    }
}
