package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.event.GcEvent;
import dev.jdyno.gclog.read.Decimals;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.PauseDraft;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.gclog.read.WallClock;
import dev.jdyno.gclog.unified.UnifiedSafepoints;

/// Reads the logs of JDK 6–8, of all collectors and all `-XX:+Print…` options.
///
/// These logs are brackets: `[GC 0.1: [ParNew: 1K->2K(3K), 0.1 secs] 4K->5K(6K), 0.1 secs]`. A
/// bracket may span lines, because other options print inside it. The concurrent thread prints
/// whole brackets of its own into the middle of others. Therefore the reader keeps a stack of open
/// brackets across lines. A figure belongs to the innermost open bracket. Numbers outside brackets
/// of known names are skipped, never guessed.
public final class LegacyReader {
    private static final int DEEPEST = 16;

    /// Maximum number of lines inside a bracket. A bracket with more lines counts as torn. TLAB and
    /// FLS statistics print some hundreds.
    private static final int LONGEST = 2000;

    /// Maximum length of a duration, as in `1234.1234567`. Seconds have at most seven decimals, and
    /// a stop of more than an hour is practically impossible.
    private static final int LONGEST_NUMBER = 12;

    private static final double LONGEST_S = 3600;

    private static final byte[] DESIRED = Scan.word("Desired survivor size ");
    private static final byte[] AGE = Scan.word("- age ");
    private static final byte[] STOPPED =
            Scan.word("Total time for which application threads were stopped: ");
    private static final byte[] APPLICATION = Scan.word("Application time: ");
    private static final byte[] SECS = Scan.word("secs");
    private static final byte[] INCREMENTAL = Scan.word("icms_dc=");
    private static final byte[] ADDRESS = Scan.word("[0x");

    private final LogState log;
    private final SafepointTable table;
    private final RemSetSummary remSets = new RemSetSummary();
    private final LegacyWords words;
    private final LegacyDetails details;
    private final LegacyHead head;
    private final LegacyCycles cycles;
    private final LegacyPauses pauses;
    private final WallClock wall = new WallClock();
    private final Decimals decimals = new Decimals();
    private final LegacyFrame[] stack = new LegacyFrame[DEEPEST];
    private int depth;
    private int linesOpen;

    /// Receives values that belong to no open collection.
    private final LegacyFrame none = new LegacyFrame();

    private boolean known;
    private boolean torn;

    /// True if an event of the line has ended. `joined` counts events that began on the same line
    /// after another event.
    private boolean ended;

    private long joined;

    /// The last stamp as written: the uptime, or seconds since 1970 if there is none.
    private double stampS;

    public LegacyReader(LogState log) {
        this.log = log;
        words = new LegacyWords(log);
        details = new LegacyDetails(log, words);
        head = new LegacyHead(log);
        cycles = new LegacyCycles(log);
        pauses = new LegacyPauses(log, words, cycles);
        table = new SafepointTable(log, new UnifiedSafepoints(log, pauses::flush));
        for (int i = 0; i < DEEPEST; i++) {
            stack[i] = new LegacyFrame();
        }
    }

    private static final byte[] GC = Scan.word("[GC");
    private static final byte[] FULL = Scan.word("[Full GC");

    /// True if a collection of this format begins in the line: a JVM of another version continued
    /// the same file.
    public static boolean begins(Scan s) {
        return (Scan.isDigit(s.b[s.p]) || s.b[s.p] == '[') && (s.find(GC) || s.find(FULL));
    }

    /// Reads the line at the cursor.
    public LineFate line(Scan s) {
        known = false;
        torn = false;
        ended = false;
        int from = s.p;
        LineFate ofTable = table.read(s);
        if (ofTable != LineFate.FOREIGN) {
            return ofTable;
        }
        if (remSets.holds(s)) {
            return LineFate.SKIPPED;
        }
        LineFate ofHead = head.read(s);
        if (ofHead != LineFate.FOREIGN) {
            return ofHead;
        }
        s.p = from;
        int begin = LegacyLine.begin(s, depth > 0);
        if (begin < 0) {
            return LegacyDetails.isCount(s, from) ? LineFate.SKIPPED : LineFate.FOREIGN;
        }
        s.p = begin;
        while (s.p < s.end) {
            token(s);
        }
        // Brackets may also be output of the application. Only those of a collection span lines.
        if (depth > 0 && stack[0].kind != LegacyFrame.Kind.GC) {
            depth = 0;
        }
        if (depth > 0 && ++linesOpen > LONGEST) {
            depth = 0;
            torn = true;
        }
        if (torn) {
            return LineFate.BROKEN;
        }
        if (known) {
            return LineFate.READ;
        }
        return depth > 0 || LegacyDetails.isCount(s, from) ? LineFate.SKIPPED : LineFate.FOREIGN;
    }

    private void token(Scan s) {
        byte c = s.b[s.p];
        if (Scan.isDigit(c)) {
            figure(s);
        } else if (c == '[') {
            if (s.startsWith(ADDRESS)) {
                known = true;
                s.p = s.end;
            } else {
                open(s);
            }
        } else if (c == ']') {
            s.p++;
            if (depth > 0) {
                close();
            }
        } else if (c == '(') {
            group(s);
        } else if (c == 'D' && s.accept(DESIRED)) {
            known |= depth > 0 && gc().draft.desired(s);
        } else if (c == '-' && s.accept(AGE)) {
            // the start of the table may be in an earlier file
            known |= gc().draft.age(s);
        } else if (c == 'T' && s.accept(STOPPED)) {
            known = true;
            begins();
            if (table.stopped(s) == LineFate.BROKEN) {
                torn = true;
            }
            ended = depth == 0;
        } else if (c == 'i' && s.accept(INCREMENTAL)) {
            // only this mode prints the duty cycle of CMS
            log.setup.flags.put("CMSIncrementalMode", "true");
        } else if (c == 'A' && s.accept(APPLICATION)) {
            known = true;
            begins();
            ended = depth == 0;
        } else {
            s.p++;
        }
    }

    /// Called at the start of an event. If another event of the same line has ended, a line end is
    /// missing between them.
    private void begins() {
        if (ended && depth == 0) {
            joined++;
        }
        ended = false;
    }

    /// Number of missing line ends between events.
    public long joined() {
        return joined;
    }

    /// The innermost open collection.
    private LegacyFrame gc() {
        for (int i = depth - 1; i >= 0; i--) {
            if (stack[i].kind == LegacyFrame.Kind.GC) {
                return stack[i];
            }
        }
        none.draft.phases.clear();
        return none;
    }

    /// Reads a stamp, a change of a space, a time, or an unused number.
    private void figure(Scan s) {
        int from = s.p;
        if (wall.read(s.b, s.p, s.end)) {
            s.p = wall.stop;
            s.accept(':');
            log.clock.wall(wall.epochMs);
            stampS = wall.epochMs / 1000.0;
            return;
        }
        if (s.change()) {
            changed(s);
            return;
        }
        s.p = from;
        if (!s.number()) {
            s.p++;
            return;
        }
        int digits = s.p - from;
        if (s.p < s.end
                && s.b[s.p] == ':'
                && digits >= 5
                && (s.b[s.p - 4] == '.' || s.b[s.p - 4] == ',')) {
            s.p++;
            log.clock.uptime(s.value);
            stampS = s.value;
            return;
        }
        double value = s.value;
        if (depth == 0) {
            return;
        }
        LegacyFrame top = stack[depth - 1];
        if (s.p + 1 < s.end && s.b[s.p] == 'K' && s.b[s.p + 1] == '(') {
            top.standing = true;
            return;
        }
        s.spaces();
        if (s.accept(SECS)) {
            if (digits > LONGEST_NUMBER
                    || value > LONGEST_S
                    || (top.kind != LegacyFrame.Kind.CONCURRENT
                            && decimals.isTorn(s.b, from, from + digits))) {
                torn = true;
                return;
            }
            top.hasSeconds = true;
            top.seconds = value;
        }
    }

    private void changed(Scan s) {
        if (depth == 0) {
            return;
        }
        GcEvent.Occupancy space = PauseDraft.occupancy(s);
        LegacyFrame gc = gc();
        switch (stack[depth - 1].kind) {
            case GC -> gc.draft.heap = space;
            case YOUNG -> gc.draft.young = space;
            case OLD -> {
                gc.draft.old = space;
                gc.collectedOld = true;
            }
            case METASPACE -> {
                // G1 writes this text after its sizes, when the bracket of the collection has
                // closed
                PauseDraft behind = depth == 1 ? pauses.draft() : null;
                (behind == null ? gc.draft : behind).metaspace = space;
            }
            default -> {}
        }
    }

    private void group(Scan s) {
        int from = s.p + 1;
        int nesting = 0;
        int to = s.p;
        for (; to < s.end; to++) {
            if (s.b[to] == '(') {
                nesting++;
            } else if (s.b[to] == ')' && --nesting == 0) {
                break;
            }
        }
        if (depth == 0 || to >= s.end) {
            s.p++;
            return;
        }
        LegacyFrame gc = gc();
        boolean own = stack[depth - 1].kind == LegacyFrame.Kind.GC;
        s.p = words.group(s, from, to, gc, own) ? to + 1 : from;
    }

    private void open(Scan s) {
        s.p++;
        LegacyFrame.Kind kind = words.kind(s);
        if (kind == LegacyFrame.Kind.GC || kind == LegacyFrame.Kind.CONCURRENT) {
            begins();
        }
        if (kind == LegacyFrame.Kind.GC) {
            known = true;
            if (depth > 0 && !words.mayNest(stack[0])) {
                // the previous collection never closed, so it is torn
                torn = true;
                depth = 0;
            }
            if (depth == 0) {
                torn |= pauses.dropImplausible(stampS);
                pauses.flush();
                linesOpen = 0;
            } else {
                stack[0].holdsAnother = true;
            }
        }
        if (depth == DEEPEST) {
            torn = true;
            depth = 0;
        }
        LegacyFrame frame = stack[depth++];
        frame.open(kind, log.clock.now());
        frame.stampS = stampS;
        switch (kind) {
            case GC -> words.opened(s, frame);
            case YOUNG, OLD, METASPACE -> {
                known |= depth > 1;
                if (kind == LegacyFrame.Kind.OLD) {
                    gc().collectedOld = true;
                }
            }
            case CONCURRENT -> {
                known = true;
                frame.name = words.concurrentName(s);
                pauses.interrupted();
                cycles.began(frame.name);
            }
            case TIMES -> {
                known = true;
                times(s);
            }
            case OTHER -> {
                PauseDraft behind = pauses.draft();
                PauseDraft draft = behind != null && depth == 1 ? behind : gc().draft;
                boolean detail = details.detail(s, draft, depth > 1 ? gc() : null);
                known |= detail;
                if (!detail && depth > 1) {
                    frame.name = details.part(s);
                }
            }
        }
    }

    /// Reads `[Times: user=0.61 sys=0.08, real=0.15 secs]`, which belongs to the bracket that
    /// closed just before.
    private void times(Scan s) {
        GcEvent.Cpu cpu = words.times(s);
        if (cpu != null && depth == 1) {
            pauses.times(cpu);
        }
    }

    private void close() {
        LegacyFrame frame = stack[--depth];
        ended |=
                depth == 0
                        && (frame.kind == LegacyFrame.Kind.GC
                                || frame.kind == LegacyFrame.Kind.CONCURRENT);
        switch (frame.kind) {
            case GC -> {
                known = true;
                if (pauses.ended(frame, depth > 0)) {
                    stack[0] = new LegacyFrame();
                }
            }
            case CONCURRENT -> cycles.ended(frame);
            case OTHER -> {
                if (frame.hasSeconds && !frame.name.isEmpty()) {
                    double ms = frame.seconds * 1000;
                    log.phases.add(frame.name, ms);
                    gc().draft.phases.add(new GcEvent.Phase(frame.name, ms));
                }
            }
            default -> {}
        }
    }

    /// Called at the end of the log.
    ///
    /// @return true if a collection was open, so the log is cut off
    public boolean flush() {
        boolean open = depth > 0;
        depth = 0;
        pauses.flush();
        table.flush();
        cycles.end(false);
        return open;
    }
}
