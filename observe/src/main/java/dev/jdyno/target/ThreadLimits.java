package dev.jdyno.target;

import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.measure.thread.ThreadLimit.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The limits on a process's number of threads, and how near they are. They are read only from
/// `/proc` and the control groups, so a JVM that can no longer create threads need not do anything.
public final class ThreadLimits {
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final long KIB = 1024;

    /// HotSpot's default size of a thread's stack on x86-64.
    private static final long PRESET_STACK = 1024 * KIB;

    /// Number of memory mappings of a thread: its stack and the guard zone.
    private static final long MAPPINGS_OF_A_THREAD = 2;

    // -Xss256k, -Xss1m, -Xss1048576
    private static final Pattern XSS = Pattern.compile("-Xss(\\d{1,12})([kKmMgG]?)");
    // -XX:ThreadStackSize=256
    private static final Pattern STACK_SIZE =
            Pattern.compile("-XX:ThreadStackSize=(\\d{1,9})([kKmMgG]?)");

    private final ProcFs proc;
    private final Path cgroups;
    private final long pid;

    private ThreadLimits(ProcFs proc, Path cgroups, long pid) {
        this.proc = proc;
        this.cgroups = cgroups;
        this.pid = pid;
    }

    /// The existing limits, the nearest first; empty when nothing can be read.
    public static List<ThreadLimit> of(long pid) {
        return of(ProcFs.SYSTEM, CGROUPS, pid);
    }

    static List<ThreadLimit> of(ProcFs proc, Path cgroups, long pid) {
        var limits = new ThreadLimits(proc, cgroups, pid);
        List<ThreadLimit> all = new ArrayList<>();
        limits.addressSpace().ifPresent(all::add);
        limits.cgroup().ifPresent(all::add);
        limits.user().ifPresent(all::add);
        limits.mappings().ifPresent(all::add);
        limits.machine().ifPresent(all::add);
        all.sort(Comparator.comparingLong(ThreadLimit::threadsLeft));
        return all;
    }

    /// Bytes that the stack of a new thread reserves, by the command line.
    static long stackBytes(String commandLine) {
        long bytes = PRESET_STACK;
        for (String word : commandLine.split("\0", -1)) {
            Matcher xss = XSS.matcher(word);
            Matcher size = STACK_SIZE.matcher(word);
            if (xss.matches()) {
                bytes = Long.parseLong(xss.group(1)) * unit(xss.group(2));
            } else if (size.matches()) {
                // the flag's unit is KB
                bytes = Long.parseLong(size.group(1)) * unit(size.group(2)) * KIB;
            }
        }
        return bytes > 0 ? bytes : PRESET_STACK;
    }

    private static long unit(String letter) {
        return switch (letter) {
            case "k", "K" -> KIB;
            case "m", "M" -> KIB * KIB;
            case "g", "G" -> KIB * KIB * KIB;
            default -> 1;
        };
    }

    // Max address space         2147483648           2147483648           bytes
    private Optional<ThreadLimit> addressSpace() {
        OptionalLong max = softLimit("Max address space");
        // VmSize:  2097000 kB
        Optional<Long> used =
                proc.status(pid, "VmSize")
                        .map(t -> t.split(" ", 2)[0])
                        .filter(t -> t.matches("\\d{1,15}"))
                        .map(t -> Long.parseLong(t) * KIB);
        if (max.isEmpty() || used.isEmpty()) {
            return Optional.empty();
        }
        long stack = stackBytes(proc.text(pid, "cmdline").orElse(""));
        long left = Math.max(0, max.getAsLong() - used.get()) / stack;
        return Optional.of(new ThreadLimit(Kind.ADDRESS_SPACE, max.getAsLong(), used.get(), left));
    }

    private Optional<ThreadLimit> user() {
        OptionalLong max = softLimit("Max processes");
        OptionalLong uid = proc.effectiveUid(pid);
        if (max.isEmpty() || uid.isEmpty() || uid.getAsLong() == 0) {
            return Optional.empty();
        }
        long used =
                proc.pids().stream()
                        .filter(p -> proc.effectiveUid(p).equals(uid))
                        .mapToLong(p -> number(proc.status(p, "Threads")).orElse(0))
                        .sum();
        return Optional.of(limit(Kind.USER, max.getAsLong(), used, 1));
    }

    private Optional<ThreadLimit> mappings() {
        OptionalLong max = number(proc.text("sys/vm/max_map_count"));
        Optional<String> maps = proc.text(pid, "maps");
        if (max.isEmpty() || maps.isEmpty()) {
            return Optional.empty();
        }
        long used = maps.get().chars().filter(c -> c == '\n').count();
        return Optional.of(limit(Kind.MAPPINGS, max.getAsLong(), used, MAPPINGS_OF_A_THREAD));
    }

    private Optional<ThreadLimit> machine() {
        OptionalLong threads = number(proc.text("sys/kernel/threads-max"));
        OptionalLong pids = number(proc.text("sys/kernel/pid_max"));
        // 0.20 0.18 0.12 1/80 11206
        Matcher used = Pattern.compile("\\d+/(\\d{1,9}) ").matcher(proc.text("loadavg").orElse(""));
        if (threads.isEmpty() || pids.isEmpty() || !used.find()) {
            return Optional.empty();
        }
        return Optional.of(
                limit(
                        Kind.MACHINE,
                        Math.min(threads.getAsLong(), pids.getAsLong()),
                        Long.parseLong(used.group(1)),
                        1));
    }

    /// The nearest limit of the process's group and those above it.
    private Optional<ThreadLimit> cgroup() {
        Optional<ThreadLimit> nearest = Optional.empty();
        for (String line : proc.text(pid, "cgroup").orElse("").lines().toList()) {
            // 0::/system.slice/app.service   or   8:pids:/docker/ab12
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && (parts[1].isEmpty() || parts[1].equals("pids"))) {
                Path mount = parts[1].isEmpty() ? cgroups : cgroups.resolve("pids");
                nearest = nearer(nearest, fewest(mount, parts[2]));
            }
        }
        return nearest;
    }

    private static Optional<ThreadLimit> fewest(Path mount, String group) {
        Optional<ThreadLimit> nearest = Optional.empty();
        Path at = mount.resolve(group.replaceFirst("^/+", "")).normalize();
        while (at != null && at.startsWith(mount)) {
            OptionalLong max = number(ProcFs.text(at.resolve("pids.max")));
            OptionalLong used = number(ProcFs.text(at.resolve("pids.current")));
            if (max.isPresent() && used.isPresent()) {
                nearest =
                        nearer(
                                nearest,
                                Optional.of(
                                        limit(Kind.CGROUP, max.getAsLong(), used.getAsLong(), 1)));
            }
            at = at.getParent();
        }
        return nearest;
    }

    private static Optional<ThreadLimit> nearer(Optional<ThreadLimit> a, Optional<ThreadLimit> b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.or(() -> b);
        }
        return a.get().threadsLeft() <= b.get().threadsLeft() ? a : b;
    }

    private static ThreadLimit limit(Kind kind, long max, long used, long each) {
        return new ThreadLimit(kind, max, used, Math.max(0, max - used) / each);
    }

    private OptionalLong softLimit(String name) {
        return number(
                proc.text(pid, "limits")
                        .flatMap(t -> ProcFs.afterKey(t, name))
                        .map(t -> t.split(" ", 2)[0]));
    }

    /// The number; empty for `max` and `unlimited`.
    private static OptionalLong number(Optional<String> text) {
        return text.map(String::strip)
                .filter(t -> t.matches("\\d{1,18}"))
                .map(t -> OptionalLong.of(Long.parseLong(t)))
                .orElse(OptionalLong.empty());
    }
}
