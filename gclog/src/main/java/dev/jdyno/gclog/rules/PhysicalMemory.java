package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.sums.Analysis;
import java.util.List;
import java.util.Optional;

/// The heap does not fit into the machine's memory, or the machine swaps.
final class PhysicalMemory implements GcRule {

    /// Maximum share of physical memory for the heap. Threads, metaspace, code and page cache need
    /// the rest.
    static final double SHARE = 0.9;

    /// Minimum used share of swap that matters.
    static final double SWAP_SHARE = 0.05;

    /// Speed of a long full collection, in bytes of occupied heap per second, below which it waited
    /// for a disk. A single thread processes hundreds of MiB per second.
    static final double PAGED_BYTES_PER_S = 20 << 20;

    /// The full collection that waited for the disk. If the log has CPU times, they must show that
    /// it waited.
    static Optional<Analysis.SlowFull> onDisk(Analysis a) {
        return a.heap()
                .slowestFull()
                .filter(f -> f.bytesPerS() < PAGED_BYTES_PER_S)
                .filter(f -> a.cpu().pauses() == 0 || a.cpu().starved().any());
    }

    @Override
    public Ruling evaluate(Analysis a, Given given) {
        Optional<Analysis.SlowFull> paged = onDisk(a);
        if (paged.isPresent()) {
            return paged(paged.get());
        }
        if (a.setup().physicalBytes().isEmpty()) {
            return notApplicable("the log does not show the machine's memory");
        }
        double physical = a.setup().physicalBytes().getAsLong();
        double max = a.heap().maxBytes().orElse(0.0);
        double swap = 0;
        if (a.setup().swapTotalBytes().orElse(0) > 0 && a.setup().swapFreeBytes().isPresent()) {
            swap =
                    1
                            - (double) a.setup().swapFreeBytes().getAsLong()
                                    / a.setup().swapTotalBytes().getAsLong();
        }
        if (max < SHARE * physical && swap < SWAP_SHARE) {
            return clear();
        }
        boolean heap = max >= SHARE * physical;
        return found(
                heap ? Severity.WARNING : Severity.INFO,
                heap
                        ? GcRule.say(
                                "a heap of %s on a machine of %s",
                                GcRule.bytes(max), GcRule.bytes(physical))
                        : GcRule.say("%.0f %% of swap was in use when the JVM began", 100 * swap),
                "a collection touches the whole heap: one page on disk makes it wait for the disk",
                List.of(
                        GcRule.evidence("heap over physical memory", max / physical, "", SHARE),
                        GcRule.evidence("used share of swap", swap, "", SWAP_SHARE)),
                List.of(
                        heap
                                ? GcRule.say(
                                        "-Xmx%s at most on this machine",
                                        GcRule.flag(0.75 * physical))
                                : "find out what was swapped (VmSwap in /proc/PID/status)"),
                "no swap in use by the JVM while it collects");
    }

    private Ruling paged(Analysis.SlowFull full) {
        return found(
                Severity.CRITICAL,
                GcRule.say(
                        "a full collection took %s for a heap that held %s: its pages came from disk",
                        GcRule.ms(full.ms()), GcRule.bytes((double) full.bytes())),
                "a collection touches the whole heap: one page on disk makes it wait for the disk",
                List.of(
                        GcRule.evidence(
                                "speed of the slowest full collection",
                                full.bytesPerS(),
                                "B/s",
                                PAGED_BYTES_PER_S,
                                List.of(full.line()))),
                List.of(
                        "keep the JVM in memory: see VmSwap in /proc/PID/status, fewer neighbours or a"
                                + " smaller -Xmx, vm.swappiness=1 (no CPU to run on looks the same:"
                                + " steal, a container's quota)"),
                "no swap in use by the JVM while it collects");
    }
}
