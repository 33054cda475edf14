package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.Analysis;
import dev.jdyno.gclog.Diagnosis.Severity;
import dev.jdyno.gclog.Finding;
import java.util.List;
import java.util.Locale;

/// The heap does not fit the machine, or it swaps.
final class PhysicalMemory implements Rule {

    /// Share of physical memory a heap may take: threads, metaspace, code and page cache need room.
    static final double SHARE = 0.9;

    /// Used share of swap that matters.
    static final double SWAP_SHARE = 0.05;

    @Override
    public String id() {
        return "physical-memory";
    }

    @Override
    public Finding evaluate(Analysis a, Given given) {
        if (a.setup().physicalBytes().isEmpty()) {
            return notApplicable("the log does not tell the machine's memory");
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
                        ? String.format(
                                Locale.ROOT,
                                "a heap of %s on a machine of %s",
                                Rule.bytes(max),
                                Rule.bytes(physical))
                        : String.format(
                                Locale.ROOT,
                                "%.0f %% of swap was in use when the JVM began",
                                100 * swap),
                "a collection touches the whole heap: one page on disk makes it wait for the disk",
                List.of(
                        Rule.evidence("heap over physical memory", max / physical, "", SHARE),
                        Rule.evidence("used share of swap", swap, "", SWAP_SHARE)),
                List.of(
                        heap
                                ? String.format(
                                        Locale.ROOT,
                                        "-Xmx%s at most on this machine",
                                        Rule.flag(0.75 * physical))
                                : "find out what was swapped (VmSwap in /proc/PID/status)"),
                "no swap in use by the JVM while it collects");
    }
}
