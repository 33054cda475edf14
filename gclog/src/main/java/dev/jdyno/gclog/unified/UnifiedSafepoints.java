package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import java.util.OptionalDouble;

/// Safepoints of unified logging. Before JDK 13, a safepoint has three lines. Since JDK 13, it has
/// a summary in one line, in which JDK 25 replaced `Cleanup` by `Leaving safepoint`.
public final class UnifiedSafepoints {
    static final byte[] SAFEPOINT = Scan.word("Safepoint \"");
    private static final byte[] REACHING = Scan.word("Reaching safepoint: ");
    private static final byte[] LEAVING = Scan.word("Leaving safepoint: ");
    private static final byte[] TOTAL = Scan.word("Total: ");
    private static final byte[] ENTERING = Scan.word("Entering safepoint region: ");
    private static final byte[] STOPPED =
            Scan.word("Total time for which application threads were stopped: ");
    private static final byte[] STOPPING = Scan.word("Stopping threads took: ");
    private static final byte[] APPLICATION = Scan.word("Application time: ");

    private final LogState log;
    private final Runnable flushPauses;
    private String entered = "";

    /// @param flushPauses reports the pause that ran inside the safepoint, before the safepoint
    ///   itself
    public UnifiedSafepoints(LogState log, Runnable flushPauses) {
        this.log = log;
        this.flushPauses = flushPauses;
    }

    /// True if a message is about a safepoint.
    static boolean begins(Scan s) {
        return s.startsWith(SAFEPOINT)
                || s.startsWith(ENTERING)
                || s.startsWith(STOPPED)
                || s.startsWith(APPLICATION);
    }

    LineFate read(Scan s) {
        switch (s.b[s.p]) {
            case 'S' -> {
                if (s.accept(SAFEPOINT)) {
                    return summary(s);
                }
            }
            case 'E' -> {
                if (s.accept(ENTERING)) {
                    entered = log.names.of(s.b, s.p, s.end);
                    return LineFate.READ;
                }
            }
            case 'T' -> {
                if (s.accept(STOPPED)) {
                    return stopped(s);
                }
            }
            case 'A' -> {
                if (s.startsWith(APPLICATION)) {
                    return LineFate.READ;
                }
            }
            default -> {}
        }
        return LineFate.SKIPPED;
    }

    /// Reads `Safepoint "G1CollectForAllocation", Time since last: 62081087 ns, Reaching safepoint:
    /// 3996 ns, At safepoint: 2402420 ns, Leaving safepoint: 103013 ns, Total: 2509429 ns, Threads:
    /// …`.
    private LineFate summary(Scan s) {
        int from = s.p;
        if (!s.find('"')) {
            return LineFate.BROKEN;
        }
        String operation = log.names.of(s.b, from, s.p);
        if (!s.after(REACHING) || !s.whole()) {
            return LineFate.BROKEN;
        }
        long reaching = s.whole;
        long leaving = s.after(LEAVING) && s.whole() ? s.whole : 0;
        if (!s.after(TOTAL) || !s.whole()) {
            return LineFate.BROKEN;
        }
        double total = s.whole / 1e6;
        flushPauses.run();
        log.events.accept(
                new GcEvent.SafepointStop(
                        log.line,
                        log.clock.before(total),
                        operation,
                        reaching / 1e6,
                        leaving / 1e6,
                        total,
                        OptionalDouble.empty()));
        return LineFate.READ;
    }

    /// Sets the operation of the next stop, if another line names it.
    public void entering(String operation) {
        entered = operation;
    }

    /// Reads `Total time for which application threads were stopped: 0.0012 seconds, Stopping
    /// threads took: 0.0001 seconds`, also in logs of JDK 6–8.
    public LineFate stopped(Scan s) {
        if (!s.number()) {
            return LineFate.BROKEN;
        }
        double total = s.value * 1000;
        double reaching = s.after(STOPPING) && s.number() ? s.value * 1000 : 0;
        flushPauses.run();
        log.events.accept(
                new GcEvent.SafepointStop(
                        log.line,
                        log.clock.before(total),
                        entered,
                        reaching,
                        0,
                        total,
                        OptionalDouble.empty()));
        entered = "";
        return LineFate.READ;
    }
}
