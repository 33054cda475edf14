package dev.jdyno.load;

import java.util.ArrayList;
import java.util.List;

/// What the client spent on one window; sums, so that windows add up.
///
/// @param loops per event loop
/// @param cpuSeconds CPU of the whole client process
/// @param gcMs its own GC pauses
/// @param stealTicks clock ticks the hypervisor took from this machine
/// @param totalTicks clock ticks of all its cores
record ClientUse(
        List<Loop> loops, double cpuSeconds, double gcMs, long stealTicks, long totalTicks) {

    /// One event loop.
    ///
    /// @param wallSeconds length of the window
    /// @param busySeconds of these it did not wait for events
    /// @param cpuSeconds of these it was on a core
    /// @param lagSeconds sum over replies of how long, at least, each lay ready before it was read
    record Loop(double wallSeconds, double busySeconds, double cpuSeconds, double lagSeconds) {
        double busyShare() {
            return wallSeconds <= 0 ? 0 : busySeconds / wallSeconds;
        }
    }

    ClientUse {
        loops = List.copyOf(loops);
    }

    ClientUse plus(ClientUse other) {
        List<Loop> sums = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            Loop a = loops.get(i);
            Loop b = other.loops.get(i);
            sums.add(
                    new Loop(
                            a.wallSeconds + b.wallSeconds,
                            a.busySeconds + b.busySeconds,
                            a.cpuSeconds + b.cpuSeconds,
                            a.lagSeconds + b.lagSeconds));
        }
        return new ClientUse(
                sums,
                cpuSeconds + other.cpuSeconds,
                gcMs + other.gcMs,
                stealTicks + other.stealTicks,
                totalTicks + other.totalTicks);
    }
}
