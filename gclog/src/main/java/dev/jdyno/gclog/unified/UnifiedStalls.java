package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.Collector;

/// Times for which threads waited for memory. They are no pauses, because other threads ran.
final class UnifiedStalls {
    private static final byte[] STALL = Scan.word("Allocation Stall (");
    private static final byte[] RELOCATION_STALL = Scan.word("Relocation Stall (");
    private static final byte[] MS = Scan.word("ms");

    private final LogState log;

    UnifiedStalls(LogState log) {
        this.log = log;
    }

    LineFate read(Scan s) {
        byte first = s.b[s.p];
        if ((first == 'A' && s.accept(STALL)) || (first == 'R' && s.accept(RELOCATION_STALL))) {
            log.assume(Collector.ZGC);
            return stalled(s);
        }
        return Scan.isDigit(first) ? paced(s) : LineFate.SKIPPED;
    }

    /// Reads `Allocation Stall (main) 12.345ms`. The cursor is behind the bracket. Names of threads
    /// may contain brackets.
    private LineFate stalled(Scan s) {
        int from = s.p;
        int close = s.end - 1;
        while (close > from && s.b[close] != ')') {
            close--;
        }
        if (close <= from) {
            return LineFate.BROKEN;
        }
        s.p = close + 1;
        s.spaces();
        if (!s.number()) {
            return LineFate.BROKEN;
        }
        double ms = s.value;
        if (!s.accept(MS)) {
            return LineFate.BROKEN;
        }
        String thread = log.names.of(s.b, from, close);
        log.events.accept(new GcEvent.Stall(log.line, log.clock.before(ms), thread, ms));
        return LineFate.READ;
    }

    /// Reads ` 15 of 150 ms ( 10.0%): http-1`, a row of Shenandoah's table "Allocation pacing
    /// accrued": the delay of one thread by the pacing of a cycle. `<total>` and the means are not
    /// threads.
    private LineFate paced(Scan s) {
        if (!s.number()) {
            return LineFate.SKIPPED;
        }
        double ms = s.value;
        if (!s.accept(OF) || !s.after(PACED) || s.p >= s.end || s.b[s.p] == '<') {
            return LineFate.SKIPPED;
        }
        if (ms > 0) {
            String thread = log.names.of(s.b, s.p, s.end);
            log.events.accept(new GcEvent.Stall(log.line, log.clock.before(ms), thread, ms));
        }
        return LineFate.READ;
    }

    private static final byte[] OF = Scan.word(" of ");
    private static final byte[] PACED = Scan.word("%): ");
}
