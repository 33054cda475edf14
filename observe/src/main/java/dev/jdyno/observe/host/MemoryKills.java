package dev.jdyno.observe.host;

import dev.jdyno.measure.MemoryKill;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Processes that the kernel killed in the target's memory cgroup (v2 `memory.events`, v1
/// `memory.oom_control`, Linux 4.13 and later). The kernel counts them and does not name them. So
/// the target was killed if it ended and the count rose since the last readings while it ran.
///
/// A container's group is removed with its last process. Then the group above it decides, which in
/// v2 also counts the kills below it.
public final class MemoryKills {
    private static final long KIB = 1024;

    private final ProcFs proc;
    private final long pid;
    private final Optional<Bytes> limit;

    /// The files with the counts, from the target's group upwards.
    private final List<Path> counts;

    private Reading last;

    /// The reading before the last one. The last one may already include the target's own kill.
    private Reading previous;

    private MemoryKills(ProcFs proc, long pid, Optional<Bytes> limit, List<Path> counts) {
        this.proc = proc;
        this.pid = pid;
        this.limit = limit;
        this.counts = List.copyOf(counts);
        this.last = new Reading(killed(this.counts), 0);
        this.previous = last;
    }

    /// @param killed the counts, one for each file; empty for a file that cannot be read
    /// @param anonymousBytes memory of the target that is not a copy of a file
    private record Reading(List<OptionalLong> killed, long anonymousBytes) {}

    public static MemoryKills of(ProcFs proc, long pid) {
        return of(proc, MemoryLimit.MOUNT, pid);
    }

    static MemoryKills of(ProcFs proc, Path mount, long pid) {
        Optional<Bytes> limit = MemoryLimit.of(proc, mount, pid);
        List<Path> counts = new ArrayList<>();
        for (String line : proc.text(pid, "cgroup").orElse("").lines().toList()) {
            // 0::/system.slice/app.service   or   9:memory:/docker/ab12
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                MemoryLimit.upwards(mount, parts[2])
                        .forEach(group -> counts.add(group.resolve("memory.events")));
            } else if (parts.length == 3 && parts[1].equals("memory")) {
                MemoryLimit.upwards(mount.resolve("memory"), parts[2])
                        .forEach(group -> counts.add(group.resolve("memory.oom_control")));
            }
        }
        return new MemoryKills(proc, pid, limit, counts);
    }

    /// Reads the target's memory and the counts if the target still runs. To be called about once a
    /// second.
    public void look() {
        if (limit.isEmpty()) {
            return;
        }
        List<OptionalLong> killed = killed(counts);
        // read after the counts: if the target still has memory, the counts are from before its
        // kill, or from the moment of it
        long anonymous = kib("RssAnon") + kib("RssShmem");
        if (anonymous > 0) {
            previous = last;
            last = new Reading(killed, anonymous);
        }
    }

    private long kib(String key) {
        // RssAnon:    123456 kB
        return proc.status(pid, key)
                .map(v -> v.split(" ")[0])
                .filter(v -> v.matches("\\d{1,15}"))
                .map(v -> Long.parseLong(v) * KIB)
                .orElse(0L);
    }

    /// The target's end, if the kernel killed a process of its group since the last readings.
    ///
    /// @param heapBytes size of the heap, if known
    public Optional<MemoryKill> end(Optional<Long> heapBytes) {
        List<OptionalLong> now = killed(counts);
        for (int i = 0; i < counts.size(); i++) {
            OptionalLong before = previous.killed().get(i);
            if (now.get(i).isPresent() && before.isPresent()) {
                // the nearest group that still exists
                return now.get(i).getAsLong() > before.getAsLong()
                        ? limit.map(l -> new MemoryKill(l.value(), anonymousBytes(), heapBytes))
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private long anonymousBytes() {
        return Math.max(previous.anonymousBytes(), last.anonymousBytes());
    }

    private static List<OptionalLong> killed(List<Path> counts) {
        return counts.stream()
                .map(file ->
                        ProcFs.text(file).flatMap(t -> ProcFs.afterKey(t, "oom_kill ")).stream()
                                .filter(v -> v.matches("\\d{1,18}"))
                                .mapToLong(Long::parseLong)
                                .findFirst())
                .toList();
    }
}
