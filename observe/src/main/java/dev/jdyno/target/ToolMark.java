package dev.jdyno.target;

import java.util.Optional;

/// Identifies the jdyno process that created something in a target: its process id and start time.
/// The id alone is not sufficient in a container, where each jdyno gets the same one. It is written
/// as `1234t5678` into the names of files, recordings and logs; older versions wrote `1234`.
///
/// @param pid id in that process's own namespace
/// @param started start in ticks since the machine's start, the same in every container
public record ToolMark(long pid, Optional<String> started) {
    /// Regular expression for a mark in a name, without capturing groups.
    public static final String PATTERN = "\\d{1,10}(?:t\\d{1,19})?";

    /// The mark of this process.
    public static ToolMark own() {
        long pid = ProcessHandle.current().pid();
        return new ToolMark(pid, ProcFs.SYSTEM.startTicks(pid));
    }

    /// @param written text that matches {@link #PATTERN}
    public static ToolMark parse(String written) {
        String[] parts = written.split("t", 2);
        return new ToolMark(
                Long.parseLong(parts[0]),
                parts.length == 2 ? Optional.of(parts[1]) : Optional.empty());
    }

    /// True if that jdyno still runs, as far as this process namespace and those inside it are
    /// visible.
    public boolean lives(ProcFs proc) {
        return started.isEmpty()
                ? proc.exists(pid)
                : isOf(proc, pid) || proc.pids().stream().anyMatch(p -> isOf(proc, p));
    }

    /// A killed process remains a zombie if no thread waits for it, so zombies do not count.
    private boolean isOf(ProcFs proc, long process) {
        return proc.startTicksAlive(process).equals(started)
                && (process == pid || proc.innerPid(process) == pid);
    }

    @Override
    public String toString() {
        return pid + started.map(s -> "t" + s).orElse("");
    }
}
