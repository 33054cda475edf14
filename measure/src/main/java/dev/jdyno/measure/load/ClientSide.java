package dev.jdyno.measure.load;

import java.util.Optional;

/// What the load generator did to itself in one round: it is suspect number one (E22).
///
/// @param cpuPct CPU of the whole client process, in percent of one core
/// @param busiestLoopPct share of the round in which the busiest event loop was not waiting
/// @param gcMs the client's own GC pauses
/// @param coreWaitPct share of the round in which the loop that lacked a core most was ready to run
///   and had none; beside a target that uses up the cores that is so by itself
/// @param stalledPct share of the round in which the loop that lost most time that way stood still
///   though it had something to do: stopped by its JVM, or by the machine
/// @param saturated whether what it measured is not the target's: it was the limit, or was held up
/// @param heldUp whether it was saturated by what the machine did to it (hiccups, steal) and not by
///   its own work; such a thing passes
/// @param why which part was short (loop, ports, GC, steal); empty when it was not saturated
public record ClientSide(
        double cpuPct,
        double busiestLoopPct,
        double gcMs,
        double coreWaitPct,
        double stalledPct,
        boolean saturated,
        boolean heldUp,
        Optional<String> why) {
    /// Share of the time that a loop may work before its replies queue for it, in percent: with
    /// random arrivals a server busy 0.9 of the time doubles the work's time tenfold (M/M/1).
    public static final double LOOP_BUSY_LIMIT_PCT = 90;

    /// One that was no limit, and stopped by nothing.
    public static ClientSide withRoom(double cpuPct, double busiestLoopPct) {
        return new ClientSide(cpuPct, busiestLoopPct, 0, 0, 0, false, false, Optional.empty());
    }
}
