package dev.jdyno.measure;

import java.util.Optional;

/// What the load generator did to itself in one round: it is suspect number one (E22).
///
/// @param cpuPct CPU of the whole client process, in percent of one core
/// @param busiestLoopPct share of the round in which the busiest event loop was not waiting
/// @param gcMs the client's own GC pauses
/// @param coreWaitPct share of the round in which the loop that lacked a core most was ready to run
///   and had none; beside a target that uses up the cores that is so by itself
/// @param saturated whether the client and not the target was the limit
/// @param why which part was short (loop, ports, GC, steal); empty when it was not saturated
public record ClientSide(
        double cpuPct,
        double busiestLoopPct,
        double gcMs,
        double coreWaitPct,
        boolean saturated,
        Optional<String> why) {}
