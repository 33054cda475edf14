package dev.jdyno.doctor;

import java.time.Duration;
import java.util.List;

/// Checks the machine for the requirements of the verbs.
public final class Doctor {
    /// Observation time of the CPU: long enough to detect 1 % of steal (two ticks of a core), short
    /// enough to wait for.
    static final Duration WATCH = Duration.ofSeconds(2);

    /// The checks, the most essential requirements first.
    private static final List<Check> CHECKS =
            List.of(
                    new JdkCheck(),
                    new CoresCheck(),
                    new MemoryCheck(),
                    new StealCheck(),
                    new NeighbourCheck(),
                    new ClockCheck(),
                    new GovernorCheck(),
                    new OpenFilesCheck(),
                    new PortsCheck(),
                    new BacklogCheck(),
                    new SpaceCheck(),
                    new AttachCheck(),
                    new RunQueueCheck(),
                    new PerfEventsCheck(),
                    new SocketsCheck());

    private Doctor() {}

    /// Runs every check, after observing the CPU for {@link #WATCH}.
    public static List<Finding> examine(Host host) throws InterruptedException {
        var before = CpuSample.of(host);
        host.pause().of(WATCH);
        var window = CpuWindow.between(before, CpuSample.of(host), host.pid());
        return CHECKS.stream().map(c -> c.check(host, window)).toList();
    }
}
