package dev.jdyno.inside;

import com.sun.management.OperatingSystemMXBean;
import dev.jdyno.measure.Machine;
import dev.jdyno.target.ProcFs;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;

/// The machine on which this process runs.
public final class MachineFacts {
    private MachineFacts() {}

    public static Machine read() {
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize(),
                system.getName() + " " + system.getVersion(),
                0,
                ProcFs.text(Path.of("/proc/sys/kernel/hostname")).map(String::strip),
                cpu());
    }

    /// The processor's model name; processors without one have a part number.
    private static Optional<String> cpu() {
        return ProcFs.text(Path.of("/proc/cpuinfo")).stream()
                .flatMap(String::lines)
                .filter(l -> l.startsWith("model name") || l.startsWith("CPU part"))
                .map(l -> l.substring(l.indexOf(':') + 1).strip())
                .findFirst();
    }
}
