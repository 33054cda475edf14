package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.PauseDraft;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.Collector;
import java.util.OptionalLong;

/// Lines of unified logging with details of a collection besides its pause: spaces, CPU times,
/// phases. Each method reads on behind the words that identified the line.
final class UnifiedDetails {
    private static final byte[] SYS = Scan.word("Sys=");
    private static final byte[] REAL = Scan.word("Real=");
    private static final byte[] MS = Scan.word("ms");
    private static final byte[] PER_THREAD_MAX = Scan.word("Max:");

    private final LogState log;
    private final UnifiedPauses pauses;

    UnifiedDetails(LogState log, UnifiedPauses pauses) {
        this.log = log;
        this.pauses = pauses;
    }

    /// Reads `Eden regions: 14->0(111)`.
    LineFate regions(Scan s, OptionalLong id, char space) {
        if (!s.change()) {
            return LineFate.BROKEN;
        }
        log.assume(Collector.G1);
        PauseDraft d = pauses.of(id);
        d.hasRegions = true;
        switch (space) {
            case 'E' -> {
                d.edenBefore = s.before;
                d.edenAfter = s.after;
            }
            case 'S' -> {
                d.survivorBefore = s.before;
                d.survivorAfter = s.after;
            }
            case 'O' -> {
                d.oldBefore = s.before;
                d.oldAfter = s.after;
            }
            default -> {
                d.humongousBefore = s.before;
                d.humongousAfter = s.after;
            }
        }
        return LineFate.READ;
    }

    /// True for `Tenured: promo attempt is safe: …` at level trace, which is not a change of the
    /// space.
    private static boolean isWords(Scan s) {
        return s.p < s.end && Character.isLetter(s.b[s.p]);
    }

    LineFate young(Scan s, OptionalLong id, Collector implied) {
        if (isWords(s)) {
            return LineFate.SKIPPED;
        }
        if (!s.change()) {
            return LineFate.BROKEN;
        }
        log.assume(implied);
        pauses.of(id).young = PauseDraft.occupancy(s);
        return LineFate.READ;
    }

    LineFate old(Scan s, OptionalLong id, Collector implied) {
        if (isWords(s)) {
            return LineFate.SKIPPED;
        }
        if (!s.change()) {
            return LineFate.BROKEN;
        }
        log.assume(implied);
        pauses.of(id).old = PauseDraft.occupancy(s);
        return LineFate.READ;
    }

    /// Reads `Metaspace: 241K(448K)->241K(448K) …` or, up to JDK 15, `Metaspace:
    /// 241K->241K(1056768K)`. ZGC and Shenandoah write `Metaspace: 0M used, …`.
    LineFate metaspace(Scan s, OptionalLong id) {
        if (id.isEmpty() || !s.change()) {
            return LineFate.SKIPPED;
        }
        pauses.of(id).metaspace = PauseDraft.occupancy(s);
        return LineFate.READ;
    }

    /// Reads `User=0.00s Sys=0.01s Real=0.01s`. The cursor is behind the first word.
    LineFate cpu(Scan s, OptionalLong id) {
        if (!s.number()) {
            return LineFate.BROKEN;
        }
        double user = s.value;
        if (!s.after(SYS) || !s.number()) {
            return LineFate.BROKEN;
        }
        double system = s.value;
        if (!s.after(REAL) || !s.number()) {
            return LineFate.BROKEN;
        }
        pauses.cpu(id, new GcEvent.Cpu(user, system, s.value));
        return LineFate.READ;
    }

    /// Reads ` Pre Evacuate Collection Set: 0.16ms` or ` Object Copy (ms): Min: 0.2, Avg: … Max:
    /// …`.
    LineFate phase(Scan s, OptionalLong id, int indent) {
        int from = s.p;
        int colon = from;
        while (colon < s.end && s.b[colon] != ':') {
            colon++;
        }
        if (colon >= s.end) {
            return LineFate.SKIPPED;
        }
        int to = colon;
        s.p = colon + 1;
        boolean perThread = to - from > 5 && s.b[to - 1] == ')' && s.b[to - 3] == 'm';
        if (perThread) {
            to -= 5;
            if (!s.after(PER_THREAD_MAX)) {
                return LineFate.SKIPPED;
            }
        }
        s.spaces();
        if (!s.number()) {
            return LineFate.SKIPPED;
        }
        double ms = s.value;
        s.spaces();
        if (!perThread && !s.accept(MS)) {
            return LineFate.SKIPPED;
        }
        String name = log.names.of(s.b, from, to);
        log.phases.add(name, ms);
        if (indent == 2) {
            pauses.of(id).phases.add(new GcEvent.Phase(name, ms));
        }
        return LineFate.READ;
    }
}
