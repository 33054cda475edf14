package dev.jdyno.driver;

import dev.jdyno.load.statistics.ClientUse;
import dev.jdyno.load.statistics.ClientUse.ProgramThread;
import dev.jdyno.target.ProcFs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// CPU time of a driver's threads at one instant, as counted by the kernel's scheduler.
///
/// @param threads CPU time of each thread, by process and thread id
record ProgramCpu(Map<Path, Times> threads) {
    /// Maximum number of threads whose use is listed; the others count in the sum.
    private static final int MAX_THREADS = 64;

    /// @param cpuNanos time on a core since the thread started
    /// @param waitNanos time in the run queue
    record Times(long cpuNanos, long waitNanos) {}

    static final ProgramCpu NONE = new ProgramCpu(Map.of());

    static ProgramCpu of(List<Long> pids) {
        Map<Path, Times> found = new HashMap<>();
        for (long pid : pids) {
            String[] tasks = ProcFs.SYSTEM.of(pid, "task").toFile().list();
            for (String task : tasks == null ? new String[0] : tasks) {
                Path place = ProcFs.SYSTEM.of(pid, "task").resolve(task);
                // `cpuNanos waitNanos slices`
                ProcFs.text(place.resolve("schedstat"))
                        .map(t -> t.trim().split(" "))
                        .filter(f -> f.length >= 2)
                        .ifPresent(f ->
                                found.put(
                                        place,
                                        new Times(Long.parseLong(f[0]), Long.parseLong(f[1]))));
            }
        }
        return new ProgramCpu(found);
    }

    /// The client's use plus that of the driver, between two instants.
    ClientUse since(ProgramCpu before, ClientUse own, double seconds) {
        List<ProgramThread> used = new ArrayList<>();
        threads.forEach((place, now) -> {
            Times then = before.threads.getOrDefault(place, new Times(0, 0));
            used.add(
                    new ProgramThread(
                            (now.cpuNanos - then.cpuNanos) / 1e9,
                            (now.waitNanos - then.waitNanos) / 1e9));
        });
        used.sort(Comparator.comparingDouble(ProgramThread::cpuSeconds).reversed());
        double all = used.stream().mapToDouble(ProgramThread::cpuSeconds).sum();
        return own.withProgram(seconds, all, used.subList(0, Math.min(MAX_THREADS, used.size())));
    }
}
