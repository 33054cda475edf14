package dev.jdyno.load.statistics;

import java.util.ArrayList;
import java.util.List;

/// Resource use of the client in one window, as sums, so that windows can be added.
///
/// @param loops use of each event loop
/// @param cpuSeconds CPU time of the whole client process
/// @param gcMs GC pauses of the client process
/// @param stealTicks clock ticks that the hypervisor took from this machine
/// @param totalTicks clock ticks of all cores of this machine
/// @param timeWait largest number of sockets of this machine seen in TIME_WAIT, each holding a port
public record ClientUse(
        List<Loop> loops,
        double cpuSeconds,
        double gcMs,
        long stealTicks,
        long totalTicks,
        long timeWait) {

    /// Resource use of one event loop.
    ///
    /// @param wallSeconds length of the window
    /// @param busySeconds part of the window in which the loop did not wait for events
    /// @param cpuSeconds part of the window in which the loop was on a core
    /// @param coreWaitSeconds part of the window in which the loop was ready to run but had no
    ///   core. The loop itself cannot distinguish some of this time from waiting for events.
    /// @param lagSeconds for all replies together: time in which a reply was certainly ready but
    ///   not read yet
    /// @param stallSeconds total time of the stalls: the loop had work but did not run
    /// @param stalls number of stalls
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
    /// @param cpuSeconds time on a core
    /// @param coreWaitSeconds time in which it was ready to run but had no core
    public record ProgramThread(double cpuSeconds, double coreWaitSeconds) {}

    /// Returns the same use with the resource use of such a program added.
    ///
    /// @param seconds length of the window
    /// @param program CPU time of the whole program
    /// @param threads threads of the program, the busiest first
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

    /// Returns the sum of this window and the simultaneous window of another process on this
    /// machine.
    ClientUse beside(ClientUse other) {
        List<Loop> all = new ArrayList<>(loops);
        all.addAll(other.loops);
        return new ClientUse(
                all,
                cpuSeconds + other.cpuSeconds,
                Math.max(gcMs, other.gcMs), // each GC stops only the loops of its process
                stealTicks,
                totalTicks,
                Math.max(timeWait, other.timeWait));
    }

    /// Returns the sum of this window and the simultaneous window of a process on another machine.
    ClientUse plusHost(ClientUse other) {
        ClientUse both = beside(other);
        return new ClientUse(
                both.loops,
                both.cpuSeconds,
                both.gcMs,
                stealTicks + other.stealTicks,
                totalTicks + other.totalTicks,
                both.timeWait);
    }

    /// Returns the sum of this window and the next window.
    ClientUse followedBy(ClientUse other) {
        List<Loop> sums = new ArrayList<>();
        for (int i = 0; i < Math.max(loops.size(), other.loops.size()); i++) {
            Loop a = i < loops.size() ? loops.get(i) : Loop.NONE; // a process ended earlier
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
