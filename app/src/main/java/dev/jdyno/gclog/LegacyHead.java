package dev.jdyno.gclog;

import java.util.OptionalLong;

/// The lines of JDK 6–8 logs that stand outside of collections: the head with version, memory and
/// flags, the heap as `-XX:+PrintHeapAtGC` shows it, and other options' tables.
final class LegacyHead {
    private static final byte[] VM = Scan.word("-Bit Server VM (");
    private static final byte[] JRE = Scan.word("JRE (");
    private static final byte[] MEMORY = Scan.word("Memory: ");
    private static final byte[] PHYSICAL = Scan.word("physical ");
    private static final byte[] SWAP = Scan.word("swap ");
    private static final byte[] FLAGS = Scan.word("CommandLine flags: ");
    private static final byte[] FREE = Scan.word("(");

    /// Begins of lines of `-XX:+PrintHeapAtGC`, `PrintAdaptiveSizePolicy`, `PrintTLAB` and
    /// `PrintFLSStatistics` and of a head that hold nothing used here.
    private static final byte[][] PASSED = {
        Scan.word("{Heap before"),
        Scan.word("Heap before"),
        Scan.word("Heap after"),
        Scan.word("Heap"),
        Scan.word("/proc/"),
        Scan.word("AdaptiveSize"),
        Scan.word("PSAdaptiveSize"),
        Scan.word("TLAB"),
        Scan.word("Statistics for "),
        Scan.word("-----"),
        Scan.word("Total Free Space:"),
        Scan.word("Max   Chunk Size:"),
        Scan.word("Number of Blocks:"),
        Scan.word("Av.  Block  Size:"),
        Scan.word("Tree      Height:"),
        Scan.word("Before GC:"),
        Scan.word("After GC:"),
        Scan.word("CMS: Large"),
        Scan.word("No shared spaces"),
        Scan.word(" concurrent-mark-sweep perm"),
        Scan.word("  region size "),
        Scan.word(" Metaspace "),
        Scan.word("  class space "),
    };

    private final LogState log;

    LegacyHead(LogState log) {
        this.log = log;
    }

    /// Whether the line was one of these; the cursor is then of no use.
    boolean read(Scan s) {
        byte first = s.b[s.p];
        if (Scan.isDigit(first) || first == '[') {
            return false;
        }
        if (first == '}') {
            return true;
        }
        if (s.accept(MEMORY)) {
            memory(s);
            return true;
        }
        if (s.accept(FLAGS)) {
            log.setup.commandLine(s.text(s.p, s.end));
            collector();
            return true;
        }
        int from = s.p;
        if ((first == 'J' || first == 'O') && s.find(VM)) {
            if (s.after(JRE)) {
                int version = s.p;
                if (s.find(')')) {
                    log.setup.jdk = s.text(version, s.p);
                }
            }
            return true;
        }
        s.p = from;
        for (byte[] word : PASSED) {
            if (s.startsWith(word)) {
                return s.b[s.p] != 'H' || heapLine(s);
            }
        }
        return false;
    }

    /// "Heap" alone or "Heap after GC …", not a word of an application that begins so.
    private static boolean heapLine(Scan s) {
        return s.end - s.p == 4 || s.b[s.p + 4] == ' ';
    }

    /// `Memory: 4k page, physical 16656748k(11589984k free), swap 16654888k(10952556k free)`.
    private void memory(Scan s) {
        SetupDraft setup = log.setup;
        if (s.after(PHYSICAL) && s.size()) {
            setup.physicalBytes = OptionalLong.of(s.whole);
        }
        if (s.after(SWAP) && s.size()) {
            setup.swapTotalBytes = OptionalLong.of(s.whole);
            if (s.accept(FREE) && s.size()) {
                setup.swapFreeBytes = OptionalLong.of(s.whole);
            }
        }
    }

    private void collector() {
        var flags = log.setup.flags;
        if ("true".equals(flags.get("UseG1GC"))) {
            log.collector = Collector.G1;
        } else if ("true".equals(flags.get("UseConcMarkSweepGC"))) {
            log.collector = Collector.CMS;
        } else if ("true".equals(flags.get("UseParallelGC"))
                || "true".equals(flags.get("UseParallelOldGC"))) {
            log.collector = Collector.PARALLEL;
        } else if ("true".equals(flags.get("UseParNewGC"))) {
            log.collector = Collector.PARNEW;
        } else if ("true".equals(flags.get("UseSerialGC"))) {
            log.collector = Collector.SERIAL;
        }
    }
}
