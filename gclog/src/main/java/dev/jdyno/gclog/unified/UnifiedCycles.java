package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.PauseDraft;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.Collector;
import dev.jdyno.measure.gc.ShenandoahCycle;
import dev.jdyno.measure.gc.ZgcYoung;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The concurrent collections of all collectors with unified logging.
final class UnifiedCycles {
    /// Maximum number of open cycles. ZGC runs minor cycles inside a major one. More open cycles
    /// mean that the log is torn.
    private static final int MAX_OPEN_CYCLES = 16;

    private static final byte[] MS = Scan.word("ms");
    private static final byte[] ABORTED = Scan.word("Aborted");
    private static final byte[] S = Scan.word("s");

    private static final class Draft {
        final OptionalLong id;
        final GcEvent.When when;
        String kind;
        final String cause;
        long line;

        /// The latest time of the cycle in the log.
        double endS;

        boolean ended;
        GcEvent.@Nullable Occupancy heap;
        long allocated;
        boolean hasAllocated;
        long liveYoung;
        long liveOld;
        boolean hasLiveYoung;
        boolean hasLiveOld;
        OptionalLong promoted = OptionalLong.empty();
        OptionalLong capacity = OptionalLong.empty();
        @Nullable ZgcTable table;
        @Nullable ShenandoahLines shenandoah;

        Draft(OptionalLong id, GcEvent.When when, String kind, String cause, long line) {
            this.id = id;
            this.when = when;
            this.kind = kind;
            this.cause = cause;
            this.line = line;
        }
    }

    private static ZgcTable table(Draft d) {
        ZgcTable table = d.table;
        if (table == null) {
            table = new ZgcTable();
            d.table = table;
        }
        return table;
    }

    private final LogState log;
    private final ArrayDeque<Draft> open = new ArrayDeque<>();

    UnifiedCycles(LogState log) {
        this.log = log;
    }

    /// Reads a collection of ZGC: `Major Collection (Warmup) 26M(10%)->12M(5%) 0.007s`, `Garbage
    /// Collection (Proactive)`. The cursor is behind the word "Collection".
    LineFate collection(Scan s, OptionalLong id, String kind) {
        log.assume(Collector.ZGC);
        if (!kind.equals("cycle")) {
            log.generational = true;
        }
        s.spaces();
        int from = s.p + 1;
        if (!s.accept('(') || !s.find(')')) {
            return LineFate.BROKEN;
        }
        if (s.p + 1 < s.end && s.b[s.p + 1] == ')') {
            // the inner bracket of the cause (System.gc())
            s.p++;
        }
        String cause = log.names.of(s.b, from, s.p++);
        s.spaces();
        if (s.p >= s.end) {
            begin(new Draft(id, log.clock.now(), kind, cause, log.line));
            return LineFate.READ;
        }
        if (s.accept(ABORTED)) {
            // the JVM ended during the collection
            open.remove(find(id));
            return LineFate.READ;
        }
        if (!s.change()) {
            return LineFate.BROKEN;
        }
        Draft draft = find(id);
        if (draft == null) {
            draft = new Draft(id, log.clock.now(), kind, cause, log.line);
        } else {
            open.remove(draft);
        }
        ends(draft);
        draft.heap = PauseDraft.occupancy(s);
        emit(draft);
        return LineFate.READ;
    }

    private void begin(Draft draft) {
        if (open.size() == MAX_OPEN_CYCLES) {
            emit(open.removeFirst());
        }
        open.addLast(draft);
    }

    private @Nullable Draft find(OptionalLong id) {
        for (Draft d : open) {
            if (d.id.equals(id)) {
                return d;
            }
        }
        return null;
    }

    /// Called for `Concurrent Mark Abort`: a full collection ended G1's cycle before it was
    /// complete.
    void aborted(OptionalLong id) {
        Draft d = find(id);
        if (d != null) {
            d.kind = "aborted";
        }
    }

    /// Records the current line as the end of a cycle. A later line may replace it.
    private void ends(Draft d) {
        d.line = log.line;
        d.endS = log.clock.last();
        d.ended = log.clock.isTimed();
    }

    private void emit(Draft d) {
        boolean major = !d.kind.equals("minor") && !d.kind.equals("young");
        OptionalLong live =
                d.hasLiveOld || (d.hasLiveYoung && major)
                        ? OptionalLong.of(d.liveYoung + d.liveOld)
                        : OptionalLong.empty();
        GcEvent.Occupancy heap = d.heap;
        OptionalLong capacity = d.capacity.isPresent() ? d.capacity : log.setup.maxHeapBytes;
        if (heap != null && heap.capacityBytes().isEmpty()) {
            heap = new GcEvent.Occupancy(heap.beforeBytes(), heap.afterBytes(), capacity);
        }
        OptionalDouble ms =
                d.ended
                        ? OptionalDouble.of((d.endS - d.when.uptimeS()) * 1000)
                        : OptionalDouble.empty();
        log.events.accept(
                new GcEvent.Cycle(
                        d.line,
                        d.id,
                        d.when,
                        d.kind,
                        d.cause,
                        ms,
                        Optional.ofNullable(heap),
                        d.hasAllocated ? OptionalLong.of(d.allocated) : OptionalLong.empty(),
                        live,
                        d.promoted,
                        young(d, major),
                        shenandoah(d)));
    }

    private static Optional<ShenandoahCycle> shenandoah(Draft d) {
        ShenandoahLines lines = d.shenandoah;
        return lines == null || !d.kind.equals("cycle")
                ? Optional.empty()
                : lines.finish(d.when.uptimeS());
    }

    private static ShenandoahLines lines(Draft d) {
        ShenandoahLines lines = d.shenandoah;
        if (lines == null) {
            lines = new ShenandoahLines();
            d.shenandoah = lines;
        }
        return lines;
    }

    /// Reads a line with which Shenandoah reports sizes of a cycle.
    ///
    /// @param first first letter of the line: P, C or A
    LineFate sizes(Scan s, OptionalLong id, byte first) {
        Draft d = find(id);
        if (d == null || log.collector != Collector.SHENANDOAH) {
            return LineFate.SKIPPED;
        }
        boolean read =
                switch (first) {
                    case 'P' -> lines(d).pacerForMark(s);
                    case 'C' -> lines(d).garbage(s);
                    default -> lines(d).atEnd(s, log.clock.last());
                };
        return read ? LineFate.READ : LineFate.SKIPPED;
    }

    private static Optional<ZgcYoung> young(Draft d, boolean major) {
        ZgcTable table = d.table;
        return table == null || !d.ended
                ? Optional.empty()
                : table.finish(d.cause, major, d.when.uptimeS(), d.endS);
    }

    /// Reads a row that only the tables of a young collection need: `Used` or `Free`.
    LineFate youngRow(Scan s, OptionalLong id, byte row, byte generation) {
        Draft d = generation == 'Y' ? find(id) : null;
        if (d == null) {
            return LineFate.SKIPPED;
        }
        return table(d).row(s, row) ? LineFate.READ : LineFate.BROKEN;
    }

    /// Reads `Young Generation 46M(23%)->40M(20%) 0.001s`. The same words without sizes are its
    /// begin; `Young Generation Statistics` is the heading of a table.
    LineFate youngEnds(Scan s, OptionalLong id, byte generation) {
        Draft d = generation == 'Y' ? find(id) : null;
        if (d == null || !s.change()) {
            return LineFate.SKIPPED;
        }
        table(d).ends(log.clock.last());
        return LineFate.READ;
    }

    /// Reads a row of ZGC's heap table. The columns are mark start, mark end, relocate start,
    /// relocate end, high, low; `-` means no value: ` Allocated: - 4M (2%) 4M (2%) 6M (3%)`.
    ///
    /// @param row the first letter of the row's name: A, L, P or C
    /// @param generation `Y`, `O` or 0
    LineFate row(Scan s, OptionalLong id, byte row, byte generation) {
        Draft d = find(id);
        if (d == null) {
            return LineFate.SKIPPED;
        }
        if (row == 'A' && generation == 'Y') {
            int from = s.p;
            table(d).row(s, row);
            s.p = from;
        }
        long first = -1;
        long last = -1;
        while (s.p < s.end) {
            if (Scan.isDigit(s.b[s.p])) {
                if (!s.size()) {
                    return LineFate.BROKEN;
                }
                if (first < 0) {
                    first = s.whole;
                }
                last = s.whole;
                s.spaces();
                if (s.p < s.end && s.b[s.p] == '(' && !s.find(')')) {
                    return LineFate.BROKEN;
                }
            }
            s.p++;
        }
        if (first < 0) {
            return LineFate.BROKEN;
        }
        switch (row) {
            case 'A' -> {
                if (generation != 'O') {
                    d.allocated = last;
                    d.hasAllocated = true;
                }
            }
            case 'L' -> {
                if (generation == 'O') {
                    d.liveOld = last;
                    d.hasLiveOld = true;
                } else {
                    // Objects that this collection promotes still count as young. The count of the
                    // old generation began earlier and does not include them.
                    d.liveYoung = first;
                    d.hasLiveYoung = true;
                }
            }
            case 'P' -> d.promoted = OptionalLong.of(last);
            default -> d.capacity = OptionalLong.of(first);
        }
        return LineFate.READ;
    }

    /// Reads `Concurrent Mark Cycle 12.3ms` or `Concurrent cleanup (Young) 55M->18M(256M) 0.031ms`.
    /// The cursor is at "Concurrent". A line without a duration is the start of a phase.
    LineFate concurrent(Scan s, OptionalLong id, byte generation) {
        int from = s.p;
        int p = s.p;
        while (p < s.end && s.b[p] != '(' && !(Scan.isDigit(s.b[p]) && s.b[p - 1] == ' ')) {
            p++;
        }
        int to = p;
        while (to > from && s.b[to - 1] == ' ') {
            to--;
        }
        String name = log.names.of(s.b, from, to);
        String mode = "";
        s.p = p;
        while (s.p < s.end && s.b[s.p] == '(') {
            int open = s.p + 1;
            if (!s.find(')')) {
                return LineFate.BROKEN;
            }
            // JDK 9 writes the stamps of start and end here: (2.313s, 2.320s)
            if (!Scan.isDigit(s.b[open])) {
                mode = log.names.of(s.b, open, s.p);
            }
            s.p++;
            s.spaces();
        }
        boolean changed = s.change();
        GcEvent.Occupancy heap = changed ? PauseDraft.occupancy(s) : null;
        s.spaces();
        if (!s.number()) {
            if (changed) {
                return LineFate.BROKEN;
            }
            started(name, mode, id);
            return LineFate.READ;
        }
        double ms = s.value;
        if (!s.accept(MS)) {
            if (!s.accept(S)) {
                return LineFate.BROKEN;
            }
            ms *= 1000;
        }
        log.events.accept(new GcEvent.ConcurrentPhase(log.line, log.clock.before(ms), name, ms));
        if (generation == 'Y') {
            Draft d = find(id);
            if (d != null) {
                table(d).phase(name, ms);
            }
        }
        ended(name, mode, id, ms, heap);
        return LineFate.READ;
    }

    private static boolean isG1Cycle(String name) {
        return name.equals("Concurrent Cycle")
                || name.equals("Concurrent Mark Cycle")
                || name.equals("Concurrent Undo Cycle");
    }

    private static String g1Kind(String name) {
        return name.equals("Concurrent Undo Cycle") ? "undo" : "mark";
    }

    private void started(String name, String mode, OptionalLong id) {
        if (isG1Cycle(name)) {
            log.assume(Collector.G1);
            begin(new Draft(id, log.clock.now(), g1Kind(name), mode, log.line));
        } else if (name.equals("Concurrent reset")) {
            shenandoahBegins(mode, id, 0);
        }
    }

    private void ended(
            String name,
            String mode,
            OptionalLong id,
            double ms,
            GcEvent.@Nullable Occupancy heap) {
        if (isG1Cycle(name)) {
            log.assume(Collector.G1);
            Draft d = find(id);
            if (d == null) {
                d = new Draft(id, log.clock.before(ms), g1Kind(name), mode, log.line);
            } else {
                open.remove(d);
            }
            ends(d);
            emit(d);
        } else if (name.equals("Concurrent reset")) {
            if (find(id) == null) {
                shenandoahBegins(mode, id, ms);
            }
        } else if (log.collector == Collector.CMS) {
            sweeping(name, id, ms);
        } else if (name.equals("Concurrent cleanup") && heap != null) {
            Draft d = find(id);
            if (d != null) {
                long before = d.heap == null ? heap.beforeBytes() : d.heap.beforeBytes();
                d.heap = new GcEvent.Occupancy(before, heap.afterBytes(), heap.capacityBytes());
                ends(d);
            }
        }
    }

    /// Records a phase of a CMS cycle (JDK 9–13). The cycle has no line of its own. It is reported
    /// when its last phase ends, or when the next cycle begins after a full collection cut it
    /// short.
    private void sweeping(String name, OptionalLong id, double ms) {
        Draft d = find(id);
        if (d == null && name.equals("Concurrent Mark")) {
            flush();
            d = new Draft(id, log.clock.before(ms), "cms", "", log.line);
            begin(d);
        }
        if (d != null) {
            ends(d);
            if (name.equals("Concurrent Reset")) {
                open.remove(d);
                emit(d);
            }
        }
    }

    private void shenandoahBegins(String mode, OptionalLong id, double ms) {
        log.assume(Collector.SHENANDOAH);
        flush();
        String kind =
                switch (mode) {
                    case "Young", "YOUNG" -> "young";
                    case "Bootstrap Old", "Bootstrap Old GC", "Old", "OLD" -> "old";
                    case "Mixed", "MIXED" -> "mixed";
                    case "Global", "GLOBAL" -> "global";
                    default -> "cycle";
                };
        if (!kind.equals("cycle")) {
            log.generational = true;
        }
        begin(new Draft(id, log.clock.before(ms), kind, "", log.line));
    }

    /// Reports all open cycles: at the end of the log, and when the next cycle of Shenandoah
    /// begins.
    void flush() {
        while (!open.isEmpty()) {
            emit(open.removeFirst());
        }
    }
}
