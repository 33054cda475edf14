package dev.jdyno.target;

import java.util.Optional;

/// Which jdyno made something in a target: its process id and when it started. The id alone says
/// nothing in a container, where each jdyno gets the same one. Written `1234t5678` into the names
/// of files, recordings and logs, and `1234` by jdynos before.
///
/// @param pid as that jdyno saw it
/// @param started in ticks since the machine's start, the same in every container
public record ToolMark(long pid, Optional<String> started) {
    /// What stands in names, for patterns; without groups.
    public static final String PATTERN = "\\d{1,10}(?:t\\d{1,19})?";

    /// Of this very process.
    public static ToolMark own() {
        long pid = ProcessHandle.current().pid();
        return new ToolMark(pid, ProcFs.SYSTEM.startTicks(pid));
    }

    /// @param written something that matches {@link #PATTERN}
    public static ToolMark parse(String written) {
        String[] parts = written.split("t", 2);
        return new ToolMark(
                Long.parseLong(parts[0]),
                parts.length == 2 ? Optional.of(parts[1]) : Optional.empty());
    }

    /// Whether that jdyno still runs, as far as this process namespace and those in it are to be
    /// seen.
    public boolean lives(ProcFs proc) {
        return started.isEmpty()
                ? proc.exists(pid)
                : isOf(proc, pid) || proc.pids().stream().anyMatch(p -> isOf(proc, p));
    }

    /// One that was killed stays a zombie where no thread waits for it.
    private boolean isOf(ProcFs proc, long process) {
        return proc.startTicksAlive(process).equals(started)
                && (process == pid || proc.innerPid(process) == pid);
    }

    @Override
    public String toString() {
        return pid + started.map(s -> "t" + s).orElse("");
    }
}
