package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.read.Decimals;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.PauseDraft;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.Collector;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The pauses of unified logging. It collects the lines of one collection by its number. It reports
/// a pause when the next one begins, because CPU times follow the line with the duration.
final class UnifiedPauses {
    private static final byte[] YOUNG = Scan.word("Young");
    private static final byte[] FULL = Scan.word("Full");
    private static final byte[] REMARK = Scan.word("Remark");
    private static final byte[] CLEANUP = Scan.word("Cleanup");
    private static final byte[] INITIAL_MARK = Scan.word("Initial Mark");
    private static final byte[] MIXED = Scan.word("Mixed");
    private static final byte[] DEGENERATED = Scan.word("Degenerated GC");
    private static final byte[] MARK_START = Scan.word("Mark Start");
    private static final byte[] MARK_END = Scan.word("Mark End");
    private static final byte[] RELOCATE_START = Scan.word("Relocate Start");
    private static final byte[] INIT = Scan.word("Init ");
    private static final byte[] FINAL = Scan.word("Final ");
    private static final byte[] NORMAL = Scan.word("Normal");
    private static final byte[] CONCURRENT_START = Scan.word("Concurrent Start");
    private static final byte[] PREPARE_MIXED = Scan.word("Prepare Mixed");
    private static final byte[] EVACUATION_FAILURE = Scan.word("Evacuation Failure");
    private static final byte[] PINNED = Scan.word("Pinned");
    private static final byte[] ALLOCATION = Scan.word("Allocation");
    private static final byte[] G1_CAUSE = Scan.word("G1 ");
    private static final byte[] ERGONOMICS = Scan.word("Ergonomics");
    private static final byte[] MS = Scan.word("ms");
    private static final byte[] US = Scan.word("us");

    /// Rounding error of a duration between two time stamps of whole milliseconds, in seconds.
    private static final double STAMP_ROUNDING_S = 0.0015;

    private final LogState log;
    private final Decimals decimals = new Decimals();
    final PauseDraft draft = new PauseDraft();
    private OptionalLong draftId = OptionalLong.empty();

    private GcEvent.@Nullable Pause pending;

    /// Begin times of the open `gc,start` lines by collection; at most two are open (young, and
    /// full inside).
    private final long[] startId = new long[4];

    private final GcEvent.When[] startWhen = new GcEvent.When[4];
    private int starts;
    private long regionBytes;

    UnifiedPauses(LogState log) {
        this.log = log;
    }

    /// The draft for a line of collection `id`. Details of an earlier collection that never ended
    /// are dropped.
    PauseDraft of(OptionalLong id) {
        if (!id.equals(draftId)) {
            draft.clear();
            draftId = id;
        }
        return draft;
    }

    /// Reads `Pause Young (Normal) (G1 Evacuation Pause) 15M->3M(256M) 2.345ms`. The cursor is
    /// behind "Pause ". A line without a duration is the start of a pause.
    LineFate pause(Scan s, OptionalLong id) {
        PauseKind kind = kind(s);
        if (kind == null) {
            return LineFate.BROKEN;
        }
        String cause = "";
        boolean evacuationFailed = false;
        boolean pinned = false;
        s.spaces();
        while (s.p < s.end && s.b[s.p] == '(') {
            int from = s.p + 1;
            int to = closing(s);
            if (to < 0) {
                return LineFate.BROKEN;
            }
            s.p = from;
            if (s.startsWith(EVACUATION_FAILURE)) {
                boolean onlyPinned = within(s, PINNED, to) && !within(s, ALLOCATION, to);
                evacuationFailed = !onlyPinned;
                pinned = onlyPinned;
            } else if (kind == PauseKind.YOUNG && s.startsWith(CONCURRENT_START)) {
                kind = PauseKind.CONCURRENT_START;
                log.assume(Collector.G1);
            } else if (kind == PauseKind.YOUNG && s.startsWith(PREPARE_MIXED)) {
                kind = PauseKind.PREPARE_MIXED;
                log.assume(Collector.G1);
            } else if (kind == PauseKind.YOUNG && s.startsWith(MIXED)) {
                kind = PauseKind.MIXED;
                log.assume(Collector.G1);
            } else if (kind == PauseKind.YOUNG && s.startsWith(NORMAL)) {
                log.assume(Collector.G1);
            } else {
                if (s.startsWith(G1_CAUSE)) {
                    log.assume(Collector.G1);
                } else if (s.startsWith(ERGONOMICS)) {
                    log.assume(Collector.PARALLEL);
                }
                cause = log.names.of(s.b, from, to);
            }
            s.p = to + 1;
            s.spaces();
        }
        boolean changed = s.change();
        GcEvent.Occupancy heap = changed ? PauseDraft.occupancy(s) : null;
        s.spaces();
        int figure = s.p;
        if (!s.number()) {
            if (changed || s.p < s.end) {
                return LineFate.BROKEN;
            }
            begin(id);
            return LineFate.READ;
        }
        double ms = s.value;
        int behind = s.p;
        s.spaces();
        if (s.accept(US)) {
            // a row of Shenandoah's statistics: "Pause Init Mark (N)   31 us"
            return LineFate.SKIPPED;
        }
        if (!s.accept(MS) || decimals.isTorn(s.b, figure, behind)) {
            return LineFate.BROKEN;
        }
        end(id, kind, cause, ms, heap, evacuationFailed, pinned);
        return LineFate.READ;
    }

    private @Nullable PauseKind kind(Scan s) {
        if (s.accept(YOUNG)) {
            return PauseKind.YOUNG;
        }
        if (s.accept(MARK_START) || s.accept(MARK_END) || s.accept(RELOCATE_START)) {
            log.assume(Collector.ZGC);
            return PauseKind.STEP;
        }
        if (s.accept(REMARK)) {
            return PauseKind.REMARK;
        }
        if (s.accept(CLEANUP)) {
            log.assume(Collector.G1);
            return PauseKind.CLEANUP;
        }
        if (s.accept(FULL)) {
            return PauseKind.FULL;
        }
        if (s.accept(MIXED)) {
            return PauseKind.MIXED;
        }
        if (s.accept(DEGENERATED)) {
            log.assume(Collector.SHENANDOAH);
            return PauseKind.DEGENERATED;
        }
        if (s.accept(INITIAL_MARK)) {
            // JDK 9 and 10 use this name for G1's concurrent start, JDK 9–13 for the first stop of
            // CMS. Only G1 writes a cause in brackets.
            s.spaces();
            if (s.p < s.end && s.b[s.p] == '(') {
                return PauseKind.CONCURRENT_START;
            }
            log.assume(Collector.CMS);
            return PauseKind.INITIAL_MARK;
        }
        if (s.accept(INIT) || s.accept(FINAL)) {
            log.assume(Collector.SHENANDOAH);
            while (s.p < s.end && s.b[s.p] != '(' && !Scan.isDigit(s.b[s.p])) {
                s.p++;
            }
            return PauseKind.STEP;
        }
        return null;
    }

    /// The position of the bracket that closes the one at the cursor. Causes may contain brackets:
    /// `(System.gc())`.
    private static int closing(Scan s) {
        int depth = 0;
        for (int i = s.p; i < s.end; i++) {
            if (s.b[i] == '(') {
                depth++;
            } else if (s.b[i] == ')' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static boolean within(Scan s, byte[] word, int to) {
        for (int i = s.p; i + word.length <= to; i++) {
            if (s.matchesAt(i, word)) {
                return true;
            }
        }
        return false;
    }

    private void begin(OptionalLong id) {
        flush();
        if (id.isPresent()) {
            if (starts == startId.length) {
                starts = 0;
            }
            startId[starts] = id.getAsLong();
            startWhen[starts++] = log.clock.now();
        }
    }

    private GcEvent.When started(OptionalLong id, double ms) {
        for (int i = starts - 1; i >= 0 && id.isPresent(); i--) {
            if (startId[i] == id.getAsLong()) {
                starts = i;
                return startWhen[i];
            }
        }
        return log.clock.before(ms);
    }

    private void end(
            OptionalLong id,
            PauseKind kind,
            String cause,
            double ms,
            GcEvent.@Nullable Occupancy heap,
            boolean evacuationFailed,
            boolean pinned) {
        GcEvent.Pause earlier = pending;
        pending = null;
        PauseDraft details = of(id);
        details.heap = heap;
        if (evacuationFailed) {
            details.troubles.add(Trouble.EVACUATION_FAILURE);
        }
        if (pinned) {
            details.troubles.add(Trouble.PINNED_REGION);
        }
        if (details.hasRegions && heap != null) {
            details.regionsToBytes(regionBytes(details, heap), kind);
        }
        GcEvent.When when = started(id, ms);
        if (earlier != null) {
            boolean inside = kind.isYoung() && contains(id, when, earlier);
            log.events.accept(inside ? earlier.inside() : earlier);
        }
        pending = details.finish(log.line, id, when, kind, cause, ms, false);
        details.clear();
        draftId = OptionalLong.empty();
    }

    /// True if `inner` ran inside the pause. A young collection that turns into a full one ends
    /// after it (Serial, CMS), so the outer pause includes the inner one's time.
    private static boolean contains(OptionalLong id, GcEvent.When when, GcEvent.Pause inner) {
        return inner.kind() == PauseKind.FULL
                && id.isPresent()
                && inner.id().isPresent()
                && id.getAsLong() < inner.id().getAsLong()
                && when.uptimeS() <= inner.when().uptimeS() + STAMP_ROUNDING_S;
    }

    /// Adds the CPU times of `User=0.00s Sys=0.01s Real=0.01s` to the pause before that line.
    void cpu(OptionalLong id, GcEvent.Cpu cpu) {
        GcEvent.Pause p = pending;
        if (p == null || !p.id().equals(id) || p.cpu().isPresent()) {
            return;
        }
        pending = p.with(cpu);
    }

    /// Reports the pause that waits for its CPU times, if there is one.
    void flush() {
        if (pending != null) {
            log.events.accept(pending);
            pending = null;
        }
    }

    /// The region size from the log's head. Without it, the power of two that fits the first
    /// collection with enough regions: used bytes are more than half of the size of their regions.
    private long regionBytes(PauseDraft d, GcEvent.Occupancy heap) {
        if (log.setup.regionBytes.isPresent()) {
            return log.setup.regionBytes.getAsLong();
        }
        if (regionBytes == 0) {
            long regions = d.edenBefore + d.survivorBefore + d.oldBefore + d.humongousBefore;
            if (regions >= 8) {
                long mean = heap.beforeBytes() / regions;
                regionBytes = 1L << 20;
                while (regionBytes < mean && regionBytes < 1L << 29) {
                    regionBytes *= 2;
                }
            }
        }
        return regionBytes;
    }
}
