package dev.jdyno.gclog;

import java.util.OptionalLong;

/// Reads the lines of unified logging (JDK 9–25) by their words, not by their tags, so that any set
/// of decorators will do. One look at the first letter chooses the few rules that can apply.
final class UnifiedReader {
    private static final byte[] GC_ID = Scan.word("GC(");
    private static final byte[] PAUSE = Scan.word("Pause ");
    private static final byte[] CONCURRENT = Scan.word("Concurrent ");
    private static final byte[] DESIRED = Scan.word("Desired survivor size ");
    private static final byte[] AGE = Scan.word("- age ");
    private static final byte[] AGE_TABLE = Scan.word("Age table");
    private static final byte[] EDEN_REGIONS = Scan.word("Eden regions: ");
    private static final byte[] SURVIVOR_REGIONS = Scan.word("Survivor regions: ");
    private static final byte[] OLD_REGIONS = Scan.word("Old regions: ");
    private static final byte[] HUMONGOUS_REGIONS = Scan.word("Humongous regions: ");
    private static final byte[] METASPACE = Scan.word("Metaspace: ");
    private static final byte[] USER = Scan.word("User=");
    private static final byte[] SYS = Scan.word("Sys=");
    private static final byte[] REAL = Scan.word("Real=");
    private static final byte[] TO_SPACE = Scan.word("To-space exhausted");
    private static final byte[] PROMOTION_FAILED = Scan.word("Promotion failed");
    private static final byte[] CONCURRENT_MODE_FAILURE = Scan.word("Concurrent mode failure");
    private static final byte[] MARK_ABORT = Scan.word("Concurrent Mark Abort");
    private static final byte[] MAJOR = Scan.word("Major Collection");
    private static final byte[] MINOR = Scan.word("Minor Collection");
    private static final byte[] GARBAGE = Scan.word("Garbage Collection");
    private static final byte[] MS = Scan.word("ms");
    private static final byte[] ALLOCATED = Scan.word("Allocated: ");
    private static final byte[] LIVE = Scan.word("Live: ");
    private static final byte[] PROMOTED = Scan.word("Promoted: ");
    private static final byte[] CAPACITY = Scan.word("Capacity: ");
    private static final byte[] DEF_NEW = Scan.word("DefNew: ");
    private static final byte[] PAR_NEW = Scan.word("ParNew: ");
    private static final byte[] PS_YOUNG = Scan.word("PSYoungGen: ");
    private static final byte[] TENURED = Scan.word("Tenured: ");
    private static final byte[] CMS = Scan.word("CMS: ");
    private static final byte[] PAR_OLD = Scan.word("ParOldGen: ");
    private static final byte[] PS_OLD = Scan.word("PSOldGen: ");
    private static final byte[] PER_THREAD_MAX = Scan.word("Max:");

    private final LogState log;
    private final Decorations decorations = new Decorations();
    private final UnifiedPauses pauses;
    private final UnifiedCycles cycles;
    private final UnifiedSafepoints safepoints;
    private final UnifiedStalls stalls;
    private final UnifiedSetup setup;

    UnifiedReader(LogState log) {
        this.log = log;
        pauses = new UnifiedPauses(log);
        cycles = new UnifiedCycles(log);
        safepoints = new UnifiedSafepoints(log, pauses::flush);
        stalls = new UnifiedStalls(log);
        setup = new UnifiedSetup(log);
    }

    /// Whether the line at the cursor is one of unified logging; the cursor then stands at its
    /// message.
    boolean decorated(Scan s) {
        if (!decorations.read(s)) {
            return false;
        }
        if (decorations.hasUptime) {
            log.clock.uptime(decorations.uptimeS);
        }
        if (decorations.hasWall) {
            log.clock.wall(decorations.epochMs);
        }
        return true;
    }

    /// Whether a message without any decoration (`-Xlog:…::none`) can only be ours.
    static boolean isBareMessage(Scan s) {
        return s.startsWith(GC_ID) || s.startsWith(UnifiedSafepoints.SAFEPOINT);
    }

    /// Reads a message that has no decorations.
    LineFate bare(Scan s) {
        decorations.level = 0;
        return message(s);
    }

    /// Reads the message at the cursor.
    LineFate message(Scan s) {
        if (decorations.level == 'w') {
            log.setup.warning(s.text(s.p, s.end));
        }
        OptionalLong id = OptionalLong.empty();
        byte generation = 0;
        if (s.startsWith(GC_ID)) {
            int from = s.p;
            s.p += GC_ID.length;
            if (!s.whole() || !s.accept(')')) {
                s.p = from;
                return LineFate.BROKEN;
            }
            id = OptionalLong.of(s.whole);
            s.accept(' ');
            generation = generation(s);
        }
        int from = s.p;
        s.spaces();
        int indent = s.p - from;
        if (s.p >= s.end) {
            return LineFate.SKIPPED;
        }
        LineFate fate = known(s, id, generation);
        if (fate == LineFate.SKIPPED && indent >= 2 && id.isPresent()) {
            return phase(s, id, indent);
        }
        return fate;
    }

    /// `Y: ` and `O: ` (`y: `, `o: ` inside a major collection) of generational ZGC.
    private byte generation(Scan s) {
        if (s.p + 2 < s.end && s.b[s.p + 1] == ':' && s.b[s.p + 2] == ' ') {
            byte c = (byte) (s.b[s.p] & ~0x20);
            if (c == 'Y' || c == 'O') {
                s.p += 3;
                log.generational = true;
                return c;
            }
        }
        return 0;
    }

    private LineFate known(Scan s, OptionalLong id, byte generation) {
        switch (s.b[s.p]) {
            case '-' -> {
                if (s.accept(AGE)) {
                    return pauses.of(id).age(s) ? LineFate.READ : LineFate.BROKEN;
                }
            }
            case 'A' -> {
                if (s.startsWith(AGE_TABLE)) {
                    pauses.of(id).bytesByAge.clear();
                    return LineFate.READ;
                }
                if (s.accept(ALLOCATED)) {
                    return cycles.row(s, id, (byte) 'A', generation);
                }
            }
            case 'C' -> {
                if (s.startsWith(CONCURRENT)) {
                    return concurrent(s, id, generation);
                }
                if (s.accept(CMS)) {
                    return old(s, id, Collector.CMS);
                }
                if (s.accept(CAPACITY)) {
                    return cycles.row(s, id, (byte) 'C', generation);
                }
            }
            case 'D' -> {
                if (s.accept(DESIRED)) {
                    return pauses.of(id).desired(s) ? LineFate.READ : LineFate.BROKEN;
                }
                if (s.accept(DEF_NEW)) {
                    return young(s, id, Collector.SERIAL);
                }
            }
            case 'E' -> {
                if (s.accept(EDEN_REGIONS)) {
                    return regions(s, id, 'E');
                }
            }
            case 'G' -> {
                if (id.isPresent() && s.accept(GARBAGE)) {
                    return cycles.collection(s, id, "cycle");
                }
            }
            case 'H' -> {
                if (s.accept(HUMONGOUS_REGIONS)) {
                    return regions(s, id, 'H');
                }
            }
            case 'L' -> {
                if (s.accept(LIVE)) {
                    return cycles.row(s, id, (byte) 'L', generation);
                }
            }
            case 'M' -> {
                if (s.accept(METASPACE)) {
                    return metaspace(s, id);
                }
                if (id.isPresent() && s.accept(MAJOR)) {
                    return cycles.collection(s, id, "major");
                }
                if (id.isPresent() && s.accept(MINOR)) {
                    return cycles.collection(s, id, "minor");
                }
            }
            case 'O' -> {
                if (s.accept(OLD_REGIONS)) {
                    return regions(s, id, 'O');
                }
            }
            case 'P' -> {
                if (id.isPresent() && s.accept(PAUSE)) {
                    return pauses.pause(s, id);
                }
                if (s.accept(PS_YOUNG)) {
                    return young(s, id, Collector.PARALLEL);
                }
                if (s.accept(PAR_OLD) || s.accept(PS_OLD)) {
                    return old(s, id, Collector.PARALLEL);
                }
                if (s.accept(PAR_NEW)) {
                    return young(s, id, Collector.CMS);
                }
                if (s.accept(PROMOTED)) {
                    return cycles.row(s, id, (byte) 'P', generation);
                }
                if (s.startsWith(PROMOTION_FAILED)) {
                    pauses.of(id).troubles.add(Trouble.PROMOTION_FAILED);
                    return LineFate.READ;
                }
            }
            case 'S' -> {
                if (s.accept(SURVIVOR_REGIONS)) {
                    return regions(s, id, 'S');
                }
            }
            case 'T' -> {
                if (s.startsWith(TO_SPACE)) {
                    pauses.of(id).troubles.add(Trouble.EVACUATION_FAILURE);
                    return LineFate.READ;
                }
                if (s.accept(TENURED)) {
                    return old(s, id, Collector.SERIAL);
                }
            }
            case 'U' -> {
                if (s.accept(USER)) {
                    return cpu(s, id);
                }
            }
            default -> {}
        }
        LineFate fate = stalls.read(s);
        if (fate != LineFate.SKIPPED) {
            return fate;
        }
        fate = safepoints.read(s);
        if (fate != LineFate.SKIPPED) {
            return fate;
        }
        return setup.read(s);
    }

    private LineFate concurrent(Scan s, OptionalLong id, byte generation) {
        if (s.startsWith(MARK_ABORT)) {
            cycles.aborted(id);
            return LineFate.READ;
        }
        // "Concurrent Workers: 1" is setup, "Concurrent Refinement Workers: 2" too
        if (id.isEmpty()) {
            return setup.read(s);
        }
        if (s.startsWith(CONCURRENT_MODE_FAILURE)) {
            pauses.of(id).troubles.add(Trouble.CONCURRENT_MODE_FAILURE);
            return LineFate.READ;
        }
        return cycles.concurrent(s, id, generation);
    }

    /// `Eden regions: 14->0(111)`.
    private LineFate regions(Scan s, OptionalLong id, char space) {
        if (!s.change()) {
            return LineFate.BROKEN;
        }
        log.looksLike(Collector.G1);
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

    private LineFate young(Scan s, OptionalLong id, Collector implied) {
        if (!s.change()) {
            return LineFate.BROKEN;
        }
        log.looksLike(implied);
        pauses.of(id).young = PauseDraft.occupancy(s);
        return LineFate.READ;
    }

    private LineFate old(Scan s, OptionalLong id, Collector implied) {
        if (!s.change()) {
            return LineFate.BROKEN;
        }
        log.looksLike(implied);
        pauses.of(id).old = PauseDraft.occupancy(s);
        return LineFate.READ;
    }

    /// `Metaspace: 241K(448K)->241K(448K) …` and, to JDK 15, `Metaspace: 241K->241K(1056768K)`. ZGC
    /// and Shenandoah write `Metaspace: 0M used, …`.
    private LineFate metaspace(Scan s, OptionalLong id) {
        if (id.isEmpty() || !s.change()) {
            return LineFate.SKIPPED;
        }
        pauses.of(id).metaspace = PauseDraft.occupancy(s);
        return LineFate.READ;
    }

    /// `User=0.00s Sys=0.01s Real=0.01s`; the cursor stands behind the first word.
    private LineFate cpu(Scan s, OptionalLong id) {
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

    /// ` Pre Evacuate Collection Set: 0.16ms`, ` Object Copy (ms): Min: 0.2, Avg: … Max: …`.
    private LineFate phase(Scan s, OptionalLong id, int indent) {
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

    /// The end of the log: what waits for a further line is told.
    void flush() {
        pauses.flush();
        cycles.flush();
    }
}
