package dev.jdyno.measure.load;

import java.util.Optional;

/// The load generator's own limits in one round. It is the first suspect if a figure looks wrong
/// (experiment E22).
///
/// @param cpuPct CPU use of the whole client process, in percent of one core
/// @param busiestLoopPct share of the round in which the busiest event loop was not waiting
/// @param gcMs the client's own GC pauses
/// @param coreWaitPct share of the round in which an event loop was ready to run without a core,
///   for the worst loop. That is normal if the target on the same machine saturates the cores.
/// @param stalledPct share of the round in which an event loop with work was stopped by its JVM or
///   by the machine, for the worst loop
/// @param saturated whether the client affected its measurements: it was the limit, or the machine
///   delayed it
/// @param heldUp whether the machine delayed the client (hiccups, steal) and its own work was not
///   the reason; this condition is temporary
/// @param why the scarce resource (loop, ports, GC, steal); empty when it was not saturated
public record ClientSide(
        double cpuPct,
        double busiestLoopPct,
        double gcMs,
        double coreWaitPct,
        double stalledPct,
        boolean saturated,
        boolean heldUp,
        Optional<String> why) {
    /// Maximum share of the time that an event loop may work before its replies queue, in percent.
    /// With random arrivals, a response of a server that is busy for 90 % of the time takes ten
    /// times its service time (M/M/1).
    public static final double LOOP_BUSY_LIMIT_PCT = 90;

    /// A client that was neither the limit nor delayed by the machine.
    public static ClientSide withRoom(double cpuPct, double busiestLoopPct) {
        return new ClientSide(cpuPct, busiestLoopPct, 0, 0, 0, false, false, Optional.empty());
    }
}
