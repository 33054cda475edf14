package dev.jdyno.observe.host;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Limits of a process for reading from and writing to disks, by its cgroup and every cgroup above
/// (v2 `io.max`, v1 `blkio.throttle.*_device`). Beyond a limit, requests wait in steps of the
/// kernel's timer although the device is free.
public final class DiskLimits {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");

    /// Keys of `io.max`, with the corresponding files of v1.
    private static final Map<String, String> V1 =
            Map.of(
                    "riops", "blkio.throttle.read_iops_device",
                    "wiops", "blkio.throttle.write_iops_device",
                    "rbps", "blkio.throttle.read_bps_device",
                    "wbps", "blkio.throttle.write_bps_device");

    private DiskLimits() {}

    /// The number of limits as a signal, and their text, such as `240 writes/s`, as its place.
    /// Empty without a limit.
    public static Signals of(ProcFs proc, long pid) {
        return of(proc, MOUNT, pid);
    }

    public static Signals of(ProcFs proc, Path mount, long pid) {
        Map<String, Long> least = new TreeMap<>();
        for (String line : proc.text(pid, "cgroup").orElse("").lines().toList()) {
            // 0::/system.slice/app.service   or   9:blkio:/docker/ab12
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                upwards(mount, parts[2], least, DiskLimits::second);
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("blkio")) {
                upwards(mount.resolve("blkio"), parts[2], least, DiskLimits::first);
            }
        }
        return least.isEmpty()
                ? Signals.NONE
                : new Signals(
                        Map.of(Sign.DISK_LIMITS, (double) least.size()),
                        Map.of(
                                Sign.DISK_LIMITS,
                                least.entrySet().stream()
                                        .map(e -> words(e.getKey(), e.getValue()))
                                        .collect(Collectors.joining(", "))));
    }

    private interface Reader {
        void read(Path group, Map<String, Long> least);
    }

    private static void upwards(Path mount, String group, Map<String, Long> least, Reader reader) {
        Path at = mount.resolve(group.replaceFirst("^/+", "")).normalize();
        while (at != null && at.startsWith(mount)) {
            reader.read(at, least);
            at = at.getParent();
        }
    }

    // 8:16 rbps=2097152 wbps=max riops=max wiops=120
    private static void second(Path group, Map<String, Long> least) {
        for (String line : ProcFs.text(group.resolve("io.max")).orElse("").lines().toList()) {
            for (String word : line.split("\\s+")) {
                int is = word.indexOf('=');
                if (is > 0 && V1.containsKey(word.substring(0, is))) {
                    add(word.substring(0, is), word.substring(is + 1), least);
                }
            }
        }
    }

    // 8:16 120
    private static void first(Path group, Map<String, Long> least) {
        V1.forEach((key, file) -> {
            for (String line : ProcFs.text(group.resolve(file)).orElse("").lines().toList()) {
                String[] words = line.trim().split("\\s+");
                if (words.length == 2) {
                    add(key, words[1], least);
                }
            }
        });
    }

    private static void add(String key, String limit, Map<String, Long> least) {
        if (limit.matches("\\d{1,18}")) {
            least.merge(key, Long.parseLong(limit), Math::min);
        }
    }

    private static String words(String key, long limit) {
        return switch (key) {
            case "riops" -> limit + " reads/s";
            case "wiops" -> limit + " writes/s";
            case "rbps" -> new Bytes(limit) + "/s read";
            default -> new Bytes(limit) + "/s written";
        };
    }
}
