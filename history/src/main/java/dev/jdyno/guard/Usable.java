package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;

/// Whether a block says enough of a figure to be compared with other days.
final class Usable {
    /// Share of the machine that other processes may use: throughput falls by as much, and response
    /// times rise. As much as the least change of throughput that matters.
    private static final double MOST_OTHERS = 0.05;

    /// A JVM counts what it allocated in buffers and regions of up to 1 MB a thread. A block that
    /// allocated less says nothing of a change of 3 %.
    private static final double LEAST_ALLOCATED_BYTES = 32 * 1024 * 1024;

    private Usable() {}

    static boolean is(Metric metric, Round block) {
        return switch (metric) {
            case QPS, GOAL_RATE, P50, P99 -> !isCrowded(block);
            case ALLOCATION -> allocated(block) >= LEAST_ALLOCATED_BYTES;
            case CPU, GC, ERRORS -> true;
        };
    }

    /// Whether other processes used so much of the machine that throughput is theirs, too.
    static boolean isCrowded(Round block) {
        return block.cpu().map(CpuUse::heldByOthers).filter(s -> s > MOST_OTHERS).isPresent();
    }

    private static double allocated(Round block) {
        return block.gc().flatMap(GcActivity::requestBytes).orElse(0.0) * block.requests();
    }
}
