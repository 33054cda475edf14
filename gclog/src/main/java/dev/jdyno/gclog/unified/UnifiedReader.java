package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.event.Trouble;
import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.measure.gc.Collector;
import java.util.OptionalLong;

/// Reads the lines of unified logging (JDK 9–25). It recognises them by their words, not by their
/// tags, so it works with any decorators. The first letter selects the few rules that can apply.
public final class UnifiedReader {
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
    private static final byte[] TO_SPACE = Scan.word("To-space exhausted");
    private static final byte[] PROMOTION_FAILED = Scan.word("Promotion failed");
    private static final byte[] CONCURRENT_MODE_FAILURE = Scan.word("Concurrent mode failure");
    private static final byte[] MARK_ABORT = Scan.word("Concurrent Mark Abort");
    private static final byte[] MAJOR = Scan.word("Major Collection");
    private static final byte[] MINOR = Scan.word("Minor Collection");
    private static final byte[] GARBAGE = Scan.word("Garbage Collection");
    private static final byte[] ALLOCATED = Scan.word("Allocated: ");
    private static final byte[] LIVE = Scan.word("Live: ");
    private static final byte[] PROMOTED = Scan.word("Promoted: ");
    private static final byte[] USED = Scan.word("Used: ");
    private static final byte[] FREE = Scan.word("Free: ");
    private static final byte[] YOUNG_GENERATION = Scan.word("Young Generation ");
    private static final byte[] CAPACITY = Scan.word("Capacity: ");
    private static final byte[] DEF_NEW = Scan.word("DefNew: ");
    private static final byte[] PAR_NEW = Scan.word("ParNew: ");
    private static final byte[] PS_YOUNG = Scan.word("PSYoungGen: ");
    private static final byte[] TENURED = Scan.word("Tenured: ");
    private static final byte[] CMS = Scan.word("CMS: ");
    private static final byte[] PAR_OLD = Scan.word("ParOldGen: ");
    private static final byte[] PS_OLD = Scan.word("PSOldGen: ");
    private static final byte[] PACER_FOR_MARK = Scan.word("Pacer for Mark.");
    private static final byte[] COLLECTABLE = Scan.word("Collectable Garbage: ");
    private static final byte[] AT_END = Scan.word("At end of GC: ");

    private final LogState log;
    private final Decorations decorations = new Decorations();
    private final UnifiedPauses pauses;
    private final UnifiedDetails details;
    private final UnifiedCycles cycles;
    private final UnifiedSafepoints safepoints;
    private final UnifiedStalls stalls;
    private final UnifiedSetup setup;

    public UnifiedReader(LogState log) {
        this.log = log;
        pauses = new UnifiedPauses(log);
        details = new UnifiedDetails(log, pauses);
        cycles = new UnifiedCycles(log);
        safepoints = new UnifiedSafepoints(log, pauses::flush);
        stalls = new UnifiedStalls(log);
        setup = new UnifiedSetup(log);
    }

    /// True if the line at the cursor has decorations of unified logging. The cursor then is at the
    /// message.
    public boolean decorated(Scan s) {
        return decorations.read(s);
    }

    /// True if the last decorations are certain, even in the middle of a line. Applications and
    /// names of threads have brackets, too.
    public boolean isSure() {
        return decorations.groups >= 2 && (decorations.hasUptime || decorations.hasWall);
    }

    /// Sets the clock from the last decorations. If a time is the only decoration, it counts only
    /// before a known message, because applications also write `[12ms] done`.
    public void tick(Scan s) {
        if (decorations.groups < 2 && !s.startsWith(GC_ID) && !UnifiedSafepoints.begins(s)) {
            return;
        }
        if (decorations.hasUptime) {
            log.clock.uptime(decorations.uptimeS);
        }
        if (decorations.hasWall) {
            log.clock.wall(decorations.epochMs);
        }
    }

    /// True if a message without decorations (`-Xlog:…::none`) can only come from this log.
    public static boolean isBareMessage(Scan s) {
        return s.startsWith(GC_ID) || s.startsWith(UnifiedSafepoints.SAFEPOINT);
    }

    /// Reads a message without decorations.
    public LineFate bare(Scan s) {
        decorations.level = 0;
        return message(s);
    }

    /// Reads the message at the cursor.
    public LineFate message(Scan s) {
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
            return details.phase(s, id, indent);
        }
        return fate;
    }

    /// Reads `Y: ` or `O: ` (`y: `, `o: ` inside a major collection) of generational ZGC.
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
        return s.b[s.p] < 'M' ? beforeM(s, id, generation) : fromM(s, id, generation);
    }

    /// Reads a line whose words begin with a letter before M.
    private LineFate beforeM(Scan s, OptionalLong id, byte generation) {
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
                if (s.startsWith(AT_END)) {
                    return cycles.sizes(s, id, (byte) 'A');
                }
            }
            case 'C' -> {
                if (s.startsWith(CONCURRENT)) {
                    return concurrent(s, id, generation);
                }
                if (s.accept(CMS)) {
                    return details.old(s, id, Collector.CMS);
                }
                if (s.accept(CAPACITY)) {
                    return cycles.row(s, id, (byte) 'C', generation);
                }
                if (s.startsWith(COLLECTABLE)) {
                    return cycles.sizes(s, id, (byte) 'C');
                }
            }
            case 'D' -> {
                if (s.accept(DESIRED)) {
                    return pauses.of(id).desired(s) ? LineFate.READ : LineFate.BROKEN;
                }
                if (s.accept(DEF_NEW)) {
                    return details.young(s, id, Collector.SERIAL);
                }
            }
            case 'E' -> {
                if (s.accept(EDEN_REGIONS)) {
                    return details.regions(s, id, 'E');
                }
            }
            case 'F' -> {
                if (s.accept(FREE)) {
                    return cycles.youngRow(s, id, (byte) 'F', generation);
                }
            }
            case 'G' -> {
                if (id.isPresent() && s.accept(GARBAGE)) {
                    return cycles.collection(s, id, "cycle");
                }
            }
            case 'H' -> {
                if (s.accept(HUMONGOUS_REGIONS)) {
                    return details.regions(s, id, 'H');
                }
            }
            case 'L' -> {
                if (s.accept(LIVE)) {
                    return cycles.row(s, id, (byte) 'L', generation);
                }
            }
            default -> {}
        }
        return ofOthers(s);
    }

    /// Reads a line whose words begin with M or a letter after it.
    private LineFate fromM(Scan s, OptionalLong id, byte generation) {
        switch (s.b[s.p]) {
            case 'M' -> {
                if (s.accept(METASPACE)) {
                    return details.metaspace(s, id);
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
                    return details.regions(s, id, 'O');
                }
            }
            case 'P' -> {
                return startingWithP(s, id, generation);
            }
            case 'S' -> {
                if (s.accept(SURVIVOR_REGIONS)) {
                    return details.regions(s, id, 'S');
                }
            }
            case 'T' -> {
                if (s.startsWith(TO_SPACE)) {
                    pauses.of(id).troubles.add(Trouble.EVACUATION_FAILURE);
                    return LineFate.READ;
                }
                if (s.accept(TENURED)) {
                    return details.old(s, id, Collector.SERIAL);
                }
            }
            case 'U' -> {
                if (s.accept(USED)) {
                    return cycles.youngRow(s, id, (byte) 'U', generation);
                }
                if (s.accept(USER)) {
                    return details.cpu(s, id);
                }
            }
            case 'Y' -> {
                if (s.accept(YOUNG_GENERATION)) {
                    return cycles.youngEnds(s, id, generation);
                }
            }
            default -> {}
        }
        return ofOthers(s);
    }

    private LineFate startingWithP(Scan s, OptionalLong id, byte generation) {
        if (id.isPresent() && s.accept(PAUSE)) {
            return pauses.pause(s, id);
        }
        if (s.startsWith(PACER_FOR_MARK)) {
            return cycles.sizes(s, id, (byte) 'P');
        }
        if (s.accept(PS_YOUNG)) {
            return details.young(s, id, Collector.PARALLEL);
        }
        if (s.accept(PAR_OLD) || s.accept(PS_OLD)) {
            return details.old(s, id, Collector.PARALLEL);
        }
        if (s.accept(PAR_NEW)) {
            return details.young(s, id, Collector.CMS);
        }
        if (s.accept(PROMOTED)) {
            return cycles.row(s, id, (byte) 'P', generation);
        }
        if (s.startsWith(PROMOTION_FAILED)) {
            pauses.of(id).troubles.add(Trouble.PROMOTION_FAILED);
            return LineFate.READ;
        }
        return ofOthers(s);
    }

    private LineFate ofOthers(Scan s) {
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
        // "Concurrent Workers: 1" and "Concurrent Refinement Workers: 2" belong to the setup
        if (id.isEmpty()) {
            return setup.read(s);
        }
        if (s.startsWith(CONCURRENT_MODE_FAILURE)) {
            pauses.of(id).troubles.add(Trouble.CONCURRENT_MODE_FAILURE);
            return LineFate.READ;
        }
        return cycles.concurrent(s, id, generation);
    }

    /// Called at the end of the log: reports the events that wait for further lines.
    public void flush() {
        pauses.flush();
        cycles.flush();
    }
}
