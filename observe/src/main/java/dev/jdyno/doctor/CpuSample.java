package dev.jdyno.doctor;

import dev.jdyno.measure.text.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The kernel's CPU counters at one instant, in its ticks.
///
/// @param cpus cores of the machine
/// @param total ticks of all cores
/// @param idle ticks without work, waiting for I/O included
/// @param stolen ticks that the hypervisor took
/// @param processes ticks of each process by its id
record CpuSample(int cpus, long total, long idle, long stolen, Map<Long, Ticks> processes) {
    /// @param name name of the process, without control characters for a terminal
    record Ticks(String name, long ticks) {}

    private static final Pattern CPU_LINE = Pattern.compile("(?m)^cpu\\d+ ");

    CpuSample {
        processes = Map.copyOf(processes);
    }

    /// The sample; empty if there is no `/proc/stat`.
    static Optional<CpuSample> of(Host host) {
        return host.text("proc/stat").flatMap(stat -> parse(stat, host));
    }

    private static Optional<CpuSample> parse(String stat, Host host) {
        // cpu  176668 8630 31162 435944 961 0 4028 120 0 0
        //      user nice system idle iowait irq softirq steal guest guest_nice:
        // the kernel has already added the two guest times to user and nice
        String[] fields = stat.lines().findFirst().orElse("").split(" +");
        if (!fields[0].equals("cpu") || fields.length < 9) {
            return Optional.empty();
        }
        long total = 0;
        for (int i = 1; i <= 8; i++) {
            total += Long.parseLong(fields[i]);
        }
        long idle = Long.parseLong(fields[4]) + Long.parseLong(fields[5]);
        int cpus = (int) CPU_LINE.matcher(stat).results().count();
        long stolen = Long.parseLong(fields[8]);
        return Optional.of(new CpuSample(cpus, total, idle, stolen, processes(host)));
    }

    private static Map<Long, Ticks> processes(Host host) {
        Map<Long, Ticks> found = new HashMap<>();
        Path proc = host.root().resolve("proc");
        try (var folders = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path folder : folders) {
                String pid = folder.getFileName().toString();
                host.text("proc/" + pid + "/stat")
                        .flatMap(CpuSample::process)
                        .ifPresent(p -> found.put(Long.valueOf(pid), p));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static Optional<Ticks> process(String stat) {
        // 4711 (java) S 1 4711 4711 0 -1 4194304 5000 0 0 0 1234 56 0 0 ...; a name may hold blanks
        // and )
        int end = stat.lastIndexOf(')');
        int start = stat.indexOf('(');
        String[] fields = end < 0 ? new String[0] : stat.substring(end + 1).strip().split(" ");
        if (start < 0 || fields.length < 13) {
            return Optional.empty();
        }
        long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        return Optional.of(new Ticks(Printable.plain(stat.substring(start + 1, end)), ticks));
    }
}
