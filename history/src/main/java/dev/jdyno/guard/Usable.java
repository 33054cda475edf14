package dev.jdyno.guard;

import dev.jdyno.compare.Metric;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;

/// Decides whether a block's figure can be compared with other days.
final class Usable {
    /// Maximum share of the machine that other processes may use: they lower throughput by the same
    /// share, and raise response times. It equals the smallest change of throughput that matters.
    private static final double MAX_OTHERS = 0.05;

    /// Minimum allocation in a block. A JVM counts allocation in buffers and regions of up to 1 MB
    /// per thread. A block that allocated less cannot show a change of 3 %.
    private static final double MIN_ALLOCATED_BYTES = 32 * 1024 * 1024;

    private Usable() {}

    static boolean is(Metric metric, Round block) {
        return switch (metric) {
            case QPS, GOAL_RATE, P50, P99, DRIVER_P50, DRIVER_P99 -> !isDisturbedByOthers(block);
            case ALLOCATION -> allocated(block) >= MIN_ALLOCATED_BYTES;
            case CPU, GC, ERRORS -> true;
        };
    }

    /// True if other processes used so much of the machine that throughput and response times do
    /// not count.
    static boolean isDisturbedByOthers(Round block) {
        return block.cpu().map(CpuUse::heldByOthers).filter(s -> s > MAX_OTHERS).isPresent();
    }

    private static double allocated(Round block) {
        return block.gc().flatMap(GcActivity::requestBytes).orElse(0.0) * block.requests();
    }
}
