package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.measure.gc.Collector;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The concurrent collections in logs of JDK 6–8: G1's marking, from `[GC concurrent-mark-start]`,
/// and CMS, from its initial mark.
final class LegacyCycles {
    private final LogState log;
    private GcEvent.@Nullable When began;
    private String kind = "";

    LegacyCycles(LogState log) {
        this.log = log;
    }

    /// Called when a bracket of concurrent work opens, with its name.
    void began(String name) {
        if (name.equals("GC concurrent-mark-start")) {
            log.assume(Collector.G1);
            begin("mark");
        } else if (name.startsWith("CMS-concurrent-reset")
                && began == null
                && !name.endsWith("-start")) {
            begin("cms");
        }
    }

    /// Called when the bracket closes.
    void ended(LegacyFrame frame) {
        if (frame.hasSeconds) {
            double ms = frame.seconds * 1000;
            log.events.accept(
                    new GcEvent.ConcurrentPhase(
                            log.line,
                            new GcEvent.When(
                                    frame.when.uptimeS() - frame.seconds, frame.when.epochMs()),
                            frame.name,
                            ms));
        }
        if (frame.name.equals("GC concurrent-mark-abort")) {
            kind = "aborted";
        }
        if (frame.name.equals("CMS-concurrent-reset")
                || frame.name.equals("GC concurrent-cleanup-end")
                || frame.name.equals("GC concurrent-mark-abort")) {
            end(true);
        }
    }

    void begin(String what) {
        end(false);
        began = log.clock.now();
        kind = what;
    }

    /// @param reported true if a line of the log shows the end
    void end(boolean reported) {
        GcEvent.When from = began;
        if (from == null) {
            return;
        }
        began = null;
        log.events.accept(
                new GcEvent.Cycle(
                        log.line,
                        OptionalLong.empty(),
                        from,
                        kind,
                        "",
                        reported
                                ? OptionalDouble.of((log.clock.last() - from.uptimeS()) * 1000)
                                : OptionalDouble.empty(),
                        java.util.Optional.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        java.util.Optional.empty(),
                        java.util.Optional.empty()));
    }
}
