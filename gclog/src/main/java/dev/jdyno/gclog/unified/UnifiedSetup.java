package dev.jdyno.gclog.unified;

import dev.jdyno.gclog.read.LineFate;
import dev.jdyno.gclog.read.LogState;
import dev.jdyno.gclog.read.Scan;
import dev.jdyno.gclog.read.SetupDraft;
import dev.jdyno.measure.gc.Collector;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// The head of a unified log: version, machine, heap limits, workers, collector.
final class UnifiedSetup {
    private static final byte[] USING = Scan.word("Using ");
    private static final byte[] VERSION = Scan.word("Version: ");
    private static final byte[] CPUS = Scan.word("CPUs: ");
    private static final byte[] AVAILABLE = Scan.word("total, ");
    private static final byte[] MEMORY = Scan.word("Memory: ");
    private static final byte[] REGION = Scan.word("Heap Region Size: ");
    private static final byte[] REGION_9 = Scan.word("Heap region size: ");
    private static final byte[] HEAP_MIN = Scan.word("Heap Min Capacity: ");
    private static final byte[] HEAP_INITIAL = Scan.word("Heap Initial Capacity: ");
    private static final byte[] HEAP_MAX = Scan.word("Heap Max Capacity: ");
    private static final byte[] MIN = Scan.word("Min Capacity: ");
    private static final byte[] INITIAL = Scan.word("Initial Capacity: ");
    private static final byte[] MAX = Scan.word("Max Capacity: ");
    private static final byte[] PARALLEL = Scan.word("Parallel Workers: ");
    private static final byte[] CONCURRENT = Scan.word("Concurrent Workers: ");
    private static final byte[] Z_WORKERS = Scan.word("GC Workers");
    private static final byte[] INIT_Z = Scan.word("Initializing The Z Garbage Collector");
    private static final byte[] GENERATIONAL = Scan.word("enerational");
    private static final byte[] MODE = Scan.word("Mode: ");

    /// A line of `-Xlog:arguments`.
    private static final byte[] ARGUMENTS = Scan.word("jvm_args: ");

    private final LogState log;

    UnifiedSetup(LogState log) {
        this.log = log;
    }

    LineFate read(Scan s) {
        SetupDraft setup = log.setup;
        switch (s.b[s.p]) {
            case 'U' -> {
                if (s.accept(USING)) {
                    return collector(s);
                }
            }
            case 'I' -> {
                if (s.startsWith(INIT_Z)) {
                    log.collector = Collector.ZGC;
                    return LineFate.READ;
                }
                if (s.accept(INITIAL) && s.size()) {
                    setup.initialHeapBytes = OptionalLong.of(s.whole);
                    return LineFate.READ;
                }
            }
            case 'V' -> {
                if (s.accept(VERSION)) {
                    int from = s.p;
                    s.find(' ');
                    setup.jdk = s.text(from, s.p > from ? s.p : s.end);
                    return LineFate.READ;
                }
            }
            case 'C' -> {
                if (s.accept(CPUS)) {
                    boolean available = s.after(AVAILABLE);
                    if (s.whole()) {
                        setup.cpus = OptionalInt.of((int) s.whole);
                        return available ? LineFate.READ : LineFate.SKIPPED;
                    }
                }
                if (s.accept(CONCURRENT) && s.whole()) {
                    setup.concurrentWorkers = OptionalInt.of((int) s.whole);
                    return LineFate.READ;
                }
            }
            case 'M' -> {
                return startingWithM(s, setup);
            }
            case 'H' -> {
                return heap(s, setup);
            }
            case 'P' -> {
                if (s.accept(PARALLEL) && s.whole()) {
                    setup.parallelWorkers = OptionalInt.of((int) s.whole);
                    return LineFate.READ;
                }
            }
            case 'j' -> {
                if (s.accept(ARGUMENTS)) {
                    setup.commandLine(s.text(s.p, s.end));
                    return LineFate.READ;
                }
            }
            case 'G' -> {
                if (s.accept(Z_WORKERS)) {
                    if (s.after(COLON) && s.whole()) {
                        setup.concurrentWorkers = OptionalInt.of((int) s.whole);
                    }
                    return LineFate.READ;
                }
            }
            default -> {}
        }
        return LineFate.SKIPPED;
    }

    /// Reads the memory, the minimum and maximum heap, or ZGC's mode.
    private LineFate startingWithM(Scan s, SetupDraft setup) {
        if (s.accept(MEMORY) && s.size()) {
            setup.physicalBytes = OptionalLong.of(s.whole);
            return LineFate.READ;
        }
        if (s.accept(MAX) && s.size()) {
            setup.maxHeapBytes = OptionalLong.of(s.whole);
            return LineFate.READ;
        }
        if (s.accept(MIN) && s.size()) {
            setup.minHeapBytes = OptionalLong.of(s.whole);
            return LineFate.READ;
        }
        if (s.accept(MODE)) {
            log.generational |= s.find(GENERATIONAL);
            return LineFate.READ;
        }
        return LineFate.SKIPPED;
    }

    private static LineFate heap(Scan s, SetupDraft setup) {
        if ((s.accept(REGION) || s.accept(REGION_9)) && s.size()) {
            setup.regionBytes = OptionalLong.of(s.whole);
            return LineFate.READ;
        }
        if (s.accept(HEAP_MAX) && s.size()) {
            setup.maxHeapBytes = OptionalLong.of(s.whole);
            return LineFate.READ;
        }
        if (s.accept(HEAP_INITIAL) && s.size()) {
            setup.initialHeapBytes = OptionalLong.of(s.whole);
            return LineFate.READ;
        }
        if (s.accept(HEAP_MIN) && s.size()) {
            setup.minHeapBytes = OptionalLong.of(s.whole);
            return LineFate.READ;
        }
        return LineFate.SKIPPED;
    }

    private static final byte[] COLON = Scan.word(": ");
    private static final byte[] G1 = Scan.word("G1");
    private static final byte[] SERIAL = Scan.word("Serial");
    private static final byte[] PARALLEL_GC = Scan.word("Parallel");
    private static final byte[] CMS = Scan.word("Concurrent Mark Sweep");
    private static final byte[] ZGC = Scan.word("The Z Garbage Collector");
    private static final byte[] SHENANDOAH = Scan.word("Shenandoah");
    private static final byte[] EPSILON = Scan.word("Epsilon");

    private static final byte[] WORKERS_OF = Scan.word(" workers of ");
    private static final byte[] FOR_MARKING = Scan.word(" for marking");

    /// Reads `Using 1 workers of 1 for marking`, for logs without a head.
    private void marking(Scan s) {
        if (log.setup.concurrentWorkers.isEmpty()
                && s.whole()
                && s.accept(WORKERS_OF)
                && s.whole()) {
            int workers = (int) s.whole;
            if (s.startsWith(FOR_MARKING)) {
                log.setup.concurrentWorkers = OptionalInt.of(workers);
            }
        }
    }

    private LineFate collector(Scan s) {
        Collector found;
        if (s.startsWith(G1)) {
            found = Collector.G1;
        } else if (s.startsWith(SERIAL)) {
            found = Collector.SERIAL;
        } else if (s.startsWith(PARALLEL_GC)) {
            found = Collector.PARALLEL;
        } else if (s.startsWith(CMS)) {
            found = Collector.CMS;
        } else if (s.startsWith(ZGC)) {
            found = Collector.ZGC;
        } else if (s.startsWith(SHENANDOAH)) {
            found = Collector.SHENANDOAH;
        } else if (s.startsWith(EPSILON)) {
            found = Collector.EPSILON;
        } else {
            marking(s);
            return LineFate.SKIPPED;
        }
        log.collector = found;
        return LineFate.READ;
    }
}
