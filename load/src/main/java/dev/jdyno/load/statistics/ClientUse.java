package dev.jdyno.load.statistics;

import java.util.ArrayList;
import java.util.List;

/// What the client spent on one window; sums, so that windows add up.
///
/// @param loops per event loop
/// @param cpuSeconds CPU of the whole client process
/// @param gcMs its own GC pauses
/// @param stealTicks clock ticks the hypervisor took from this machine
/// @param totalTicks clock ticks of all its cores
/// @param timeWait most sockets of this machine that were seen to hold a port in TIME_WAIT
public record ClientUse(
        List<Loop> loops,
        double cpuSeconds,
        double gcMs,
        long stealTicks,
        long totalTicks,
        long timeWait) {

    /// One event loop.
    ///
    /// @param wallSeconds length of the window
    /// @param busySeconds of these it did not wait for events
    /// @param cpuSeconds of these it was on a core
    /// @param coreWaitSeconds of the window it was ready to run and had no core: what it waited for
    ///   in vain looks like waiting for events to the loop itself
    /// @param lagSeconds sum over replies of how long, at least, each lay ready before it was read
    /// @param stallSeconds of these it stood still when it had something to do
    /// @param stalls number of times that it did
    record Loop(
            double wallSeconds,
            double busySeconds,
            double cpuSeconds,
            double coreWaitSeconds,
            double lagSeconds,
            double stallSeconds,
            long stalls) {
        static final Loop NONE = new Loop(0, 0, 0, 0, 0, 0, 0);

        double busyShare() {
            return wallSeconds <= 0 ? 0 : busySeconds / wallSeconds;
        }

        double coreWaitShare() {
            return wallSeconds <= 0 ? 0 : coreWaitSeconds / wallSeconds;
        }
    }

    public ClientUse {
        loops = List.copyOf(loops);
    }

    /// One thread of a program that sends the load.
    ///
    /// @param cpuSeconds it was on a core
    /// @param coreWaitSeconds it was ready to run and had no core
    public record ProgramThread(double cpuSeconds, double coreWaitSeconds) {}

    /// The same with what such a program used.
    ///
    /// @param seconds length of the window
    /// @param program CPU of the whole program
    /// @param threads of it, the busiest first
    public ClientUse withProgram(double seconds, double program, List<ProgramThread> threads) {
        return new ClientUse(
                threads.stream()
                        .map(t ->
                                new Loop(
                                        seconds,
                                        t.cpuSeconds,
                                        t.cpuSeconds,
                                        t.coreWaitSeconds,
                                        0,
                                        0,
                                        0))
                        .toList(),
                cpuSeconds + program,
                gcMs,
                stealTicks,
                totalTicks,
                timeWait);
    }

    /// This window and the one of another process of this machine at the same time.
    ClientUse beside(ClientUse other) {
        List<Loop> all = new ArrayList<>(loops);
        all.addAll(other.loops);
        return new ClientUse(
                all,
                cpuSeconds + other.cpuSeconds,
                Math.max(gcMs, other.gcMs), // each stops its own loops only
                stealTicks,
                totalTicks,
                Math.max(timeWait, other.timeWait));
    }

    /// This window and the one of a process of another machine at the same time.
    ClientUse besideHost(ClientUse other) {
        ClientUse both = beside(other);
        return new ClientUse(
                both.loops,
                both.cpuSeconds,
                both.gcMs,
                stealTicks + other.stealTicks,
                totalTicks + other.totalTicks,
                both.timeWait);
    }

    /// This window and the one that follows it.
    ClientUse followedBy(ClientUse other) {
        List<Loop> sums = new ArrayList<>();
        for (int i = 0; i < Math.max(loops.size(), other.loops.size()); i++) {
            Loop a = i < loops.size() ? loops.get(i) : Loop.NONE; // a process that ended before
            Loop b = i < other.loops.size() ? other.loops.get(i) : Loop.NONE;
            sums.add(
                    new Loop(
                            a.wallSeconds + b.wallSeconds,
                            a.busySeconds + b.busySeconds,
                            a.cpuSeconds + b.cpuSeconds,
                            a.coreWaitSeconds + b.coreWaitSeconds,
                            a.lagSeconds + b.lagSeconds,
                            a.stallSeconds + b.stallSeconds,
                            a.stalls + b.stalls));
        }
        return new ClientUse(
                sums,
                cpuSeconds + other.cpuSeconds,
                gcMs + other.gcMs,
                stealTicks + other.stealTicks,
                totalTicks + other.totalTicks,
                Math.max(timeWait, other.timeWait));
    }
}
