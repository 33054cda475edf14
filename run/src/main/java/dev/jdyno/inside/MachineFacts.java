package dev.jdyno.inside;

import com.sun.management.OperatingSystemMXBean;
import dev.jdyno.measure.Machine;
import java.lang.management.ManagementFactory;

/// The machine on which this process runs.
public final class MachineFacts {
    private MachineFacts() {}

    public static Machine read() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize(),
                system.getName() + " " + system.getVersion(),
                0);
    }
}
