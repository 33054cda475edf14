package dev.jdyno.gclog.legacy;

import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.gclog.read.SetupDraft;
import dev.jdyno.measure.gc.Collector;
import java.util.OptionalLong;

/// The lines of JDK 6–8 logs outside collections: the head with version, memory and flags, the heap
/// as `-XX:+PrintHeapAtGC` prints it, and the tables of other options.
final class LegacyHead {
    private static final byte[] VM = Scan.word("-Bit Server VM (");
    private static final byte[] JRE = Scan.word("JRE (");
    private static final byte[] MEMORY = Scan.word("Memory: ");
    private static final byte[] PHYSICAL = Scan.word("physical ");
    private static final byte[] SWAP = Scan.word("swap ");
    private static final byte[] FLAGS = Scan.word("CommandLine flags: ");
    private static final byte[] FREE = Scan.word("(");

    /// Beginnings of lines without used figures: those of `-XX:+PrintHeapAtGC`,
    /// `PrintAdaptiveSizePolicy`, `PrintTLAB`, `PrintFLSStatistics` and of a head.
    private static final byte[][] PASSED = {
        Scan.word("{Heap before"),
        Scan.word("GC locker: Trying a full collection"),
        Scan.word("Finished "),
        Scan.word("Heap before"),
        Scan.word("Heap after"),
        Scan.word("Heap"),
        Scan.word("/proc/"),
        Scan.word("AdaptiveSize"),
        Scan.word("PSAdaptiveSize"),
        Scan.word("  avg_survived_padded_avg:"),
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
        Scan.word("CMSCollector"),
        Scan.word("time_until_cms_gen_full"),
        Scan.word("free="),
        Scan.word("contiguous_available="),
        Scan.word("promotion_rate="),
        Scan.word("cms_allocation_rate="),
        Scan.word("occupancy="),
        Scan.word("initiatingOccupancy="),
        Scan.word("initiatingPermOccupancy="),
        Scan.word("cms_time_since_"),
        Scan.word("metadata initialized"),
        Scan.word("No shared spaces"),
        Scan.word(" concurrent-mark-sweep perm"),
        Scan.word("  region size "),
        Scan.word("  eden space"),
        Scan.word("  from space"),
        Scan.word("  to   space"),
        Scan.word("  object space"),
        Scan.word("   the space"),
        Scan.word("    ro space"),
        Scan.word("    rw space"),
        Scan.word(" par new generation"),
        Scan.word(" def new generation"),
        Scan.word(" tenured generation"),
        Scan.word(" concurrent mark-sweep generation"),
        Scan.word(" compacting perm gen"),
        Scan.word("    UseAdaptiveSizePolicy actions"),
        Scan.word("                       GC overhead (%)"),
        Scan.word("    Young generation:  "),
        Scan.word("    Tenured generation:  "),
        Scan.word("    Tenuring threshold:  "),
        Scan.word("    PSYoungGen::resize_spaces"),
        Scan.word("  Eden, from, to:"),
        Scan.word(" garbage-first heap"),
        Scan.word(" PSYoungGen"),
        Scan.word(" PSOldGen"),
        Scan.word(" PSPermGen"),
        Scan.word(" ParOldGen"),
        Scan.word(" Metaspace "),
        Scan.word("  class space "),
    };

    private final LogState log;

    LegacyHead(LogState log) {
        this.log = log;
    }

    /// Reads the line and returns how it was handled. Returns `FOREIGN` if it is not part of a
    /// head.
    LineFate read(Scan s) {
        byte first = s.b[s.p];
        if (Scan.isDigit(first) && rotated(s)) {
            return LineFate.SKIPPED;
        }
        if (Scan.isDigit(first) || first == '[') {
            return LineFate.FOREIGN;
        }
        if (first == '}' && s.end - s.p <= 2) {
            return LineFate.SKIPPED;
        }
        if (s.accept(MEMORY)) {
            memory(s);
            return LineFate.READ;
        }
        if (s.accept(FLAGS)) {
            log.setup.commandLine(s.text(s.p, s.end));
            collector();
            return LineFate.READ;
        }
        int from = s.p;
        if ((first == 'J' || first == 'O') && s.find(VM)) {
            if (s.after(JRE)) {
                jre(s);
            }
            return LineFate.READ;
        }
        s.p = from;
        for (byte[] word : PASSED) {
            if (s.startsWith(word)) {
                return s.b[s.p] != 'H' || heapLine(s) ? LineFate.SKIPPED : LineFate.FOREIGN;
            }
        }
        return prefixed(s, from);
    }

    /// Reads a line of the head behind the prefix of a container runtime.
    private LineFate prefixed(Scan s, int from) {
        if (s.after(FLAGS)) {
            log.setup.commandLine(s.text(s.p, s.end));
            collector();
            return LineFate.READ;
        }
        if (s.find(VM) && s.after(JRE)) {
            jre(s);
            return LineFate.READ;
        }
        s.p = from;
        if (s.after(MEMORY) && s.find(PHYSICAL)) {
            memory(s);
            return LineFate.READ;
        }
        s.p = from;
        return LineFate.FOREIGN;
    }

    private void jre(Scan s) {
        int version = s.p;
        if (s.find(')')) {
            log.setup.jdk = s.text(version, s.p);
        }
    }

    private static final byte[] LOG_FILE = Scan.word("GC log file ");

    /// Length of a time stamp such as `2016-08-30 20:35:29 `.
    private static final int STAMP = 20;

    /// True for a line of -XX:+UseGCLogFileRotation: `2016-08-30 20:35:29 GC log file created
    /// /var/log/gc.log.1`, or `… has reached the maximum size. Saved as …`.
    private static boolean rotated(Scan s) {
        return s.matchesAt(s.p + STAMP, LOG_FILE);
    }

    /// True for "Heap" alone or "Heap after GC …", but not for a longer word of an application.
    private static boolean heapLine(Scan s) {
        return s.end - s.p == 4 || s.b[s.p + 4] == ' ';
    }

    /// Reads `Memory: 4k page, physical 16656748k(11589984k free), swap 16654888k(10952556k free)`.
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
        if ("true".equals(flags.get("UseShenandoahGC"))) {
            log.collector = Collector.SHENANDOAH;
        } else if ("true".equals(flags.get("UseG1GC"))) {
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
