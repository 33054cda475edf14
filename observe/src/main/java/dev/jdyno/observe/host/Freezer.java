package dev.jdyno.observe.host;

import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Detects whether a process's control group is frozen (`docker pause`). The threads of a frozen
/// process appear to sleep; only the state of the group shows the difference. The state of a group
/// includes that of the groups above it, in v1 (`freezer.state`) and in v2 (`frozen` of
/// `cgroup.events`).
public final class Freezer {
    private final ProcFs proc;
    private final long pid;
    private final Optional<Path> freezer;
    private final Optional<Path> unified;

    private Freezer(ProcFs proc, long pid, Optional<Path> freezer, Optional<Path> unified) {
        this.proc = proc;
        this.pid = pid;
        this.freezer = freezer;
        this.unified = unified;
    }

    public static Freezer of(ProcFs proc, long pid) {
        Optional<Path> freezer = Optional.empty();
        Optional<Path> unified = Optional.empty();
        // cgroup /sys/fs/cgroup/freezer cgroup rw,relatime,freezer 0 0
        for (String line : proc.text("mounts").orElse("").lines().toList()) {
            String[] f = line.split(" ");
            if (f.length > 3 && f[2].equals("cgroup2")) {
                unified = Optional.of(Path.of(f[1]));
            } else if (f.length > 3
                    && f[2].equals("cgroup")
                    && List.of(f[3].split(",")).contains("freezer")) {
                freezer = Optional.of(Path.of(f[1]));
            }
        }
        return new Freezer(proc, pid, freezer, unified);
    }

    /// True if the control group of the process is frozen now. The group is read again each time,
    /// because the process may have moved to another group.
    public boolean frozen() {
        // 4:freezer:/docker/ab12   or   0::/system.slice/app.service
        return proc.text(pid, "cgroup").orElse("").lines().anyMatch(this::frozen);
    }

    private boolean frozen(String line) {
        String[] parts = line.split(":", 3);
        if (parts.length < 3) {
            return false;
        }
        if (List.of(parts[1].split(",")).contains("freezer")) {
            return freezer.flatMap(m -> text(m, parts[2], "freezer.state"))
                    .filter(s -> s.startsWith("FR"))
                    .isPresent();
        }
        return parts[1].isEmpty()
                && unified.flatMap(m -> text(m, parts[2], "cgroup.events"))
                        .flatMap(t -> ProcFs.afterKey(t, "frozen "))
                        .filter("1"::equals)
                        .isPresent();
    }

    /// The content of a group's file; empty if the group is not below this mount point.
    private static Optional<String> text(Path mount, String group, String file) {
        Path folder = mount.resolve(group.replaceFirst("^/+", "")).normalize();
        return folder.startsWith(mount) ? ProcFs.text(folder.resolve(file)) : Optional.empty();
    }
}
