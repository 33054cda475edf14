package dev.jdyno.target.cgroup;

import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where the control groups are mounted, and in which group a process is.
///
/// @param controllers mount points of version 1, by controller
/// @param unified mount point of version 2
public record ControlMounts(Map<String, Path> controllers, Optional<Path> unified) {
    public ControlMounts {
        controllers = Map.copyOf(controllers);
    }

    public static ControlMounts of(ProcFs proc) {
        Map<String, Path> controllers = new HashMap<>();
        Optional<Path> unified = Optional.empty();
        // cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0
        for (String line : proc.text("mounts").orElse("").lines().toList()) {
            String[] f = line.split(" ");
            if (f.length < 4) {
                continue;
            }
            if (f[2].equals("cgroup")) {
                for (String option : f[3].split(",")) {
                    controllers.put(option, Path.of(f[1]));
                }
            } else if (f[2].equals("cgroup2")) {
                unified = Optional.of(Path.of(f[1]));
            }
        }
        return new ControlMounts(controllers, unified);
    }

    /// The path of a process's group in the hierarchy of a controller of version 1; empty if it is
    /// in none.
    ///
    /// @param groups text of `/proc/PID/cgroup`
    public static Optional<String> group(String groups, String controller) {
        // 4:cpu,cpuacct:/docker/ab12
        return groups.lines()
                .map(line -> line.split(":", 3))
                .filter(f -> f.length == 3 && List.of(f[1].split(",")).contains(controller))
                .map(f -> f[2])
                .findFirst();
    }

    /// The path of a process's group in version 2; empty if it is in none.
    ///
    /// @param groups text of `/proc/PID/cgroup`
    public static Optional<String> group(String groups) {
        // 0::/system.slice/app.service
        return groups.lines().filter(l -> l.startsWith("0::")).map(l -> l.substring(3)).findFirst();
    }
}
