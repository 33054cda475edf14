package dev.jdyno.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// A machine simulated by files. It is healthy unless a test changes it.
final class FakeMachine {
    static final long SELF = 100;

    private final Path root;
    private final List<Duration> pauses = new ArrayList<>();
    private final Deque<Runnable> duringPause = new ArrayDeque<>();
    private long now;
    private long nanosPerReading = 25;
    private Runtime.Version jdk = Runtime.Version.parse("25.0.3+9");
    private String missingModule = "";
    private String user = "ann";
    private int processors = 8;

    FakeMachine(Path root) {
        this.root = root;
        cpu(0, 0, 0);
        process(SELF, "java", 0);
        file("proc/meminfo", "MemTotal: 24684092 kB\nMemAvailable:   23674400 kB\n");
        file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
        file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        file(
                "proc/self/limits",
                "Max open files            20000                20000                files\n");
        file("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n");
        file("proc/net/sockstat", "sockets: used 1\nTCP: inuse 10 orphan 0 tw 18 alloc 10 mem 1\n");
        file("proc/sys/net/core/somaxconn", "4096\n");
        file("proc/mounts", "/dev/vda / ext4 rw 0 0\n");
        file("proc/self/schedstat", "72127 2086578 2\n");
        file("proc/sys/kernel/perf_event_paranoid", "1\n");
        file("proc/self/status", "CapEff:\t0000000000000000\n");
        file("usr/bin/ss", "");
        file("tmp/hsperfdata_ann/100", "");
        process(1, "init", 0);
        process(200, "java", 0);
        file("tmp/hsperfdata_ann/200", "");
    }

    FakeMachine file(String name, String text) {
        try {
            Path file = root.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FakeMachine without(String name) {
        try {
            Files.delete(root.resolve(name));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Counters of 8 cores, in ticks of an interval of `ticks`: used and stolen ones.
    FakeMachine cpu(long ticks, long busy, long stolen) {
        long idle = 8 * ticks - busy - stolen;
        String line = "cpu  " + busy + " 0 0 " + idle + " 0 0 0 " + stolen + " 0 0\n";
        return file("proc/stat", line + "cpu0 0 0 0 0\n".repeat(8) + "intr 1 2\n");
    }

    FakeMachine process(long pid, String name, long ticks) {
        return file(
                "proc/" + pid + "/stat",
                pid + " (" + name + ") S 1 1 1 0 -1 0 0 0 0 0 " + ticks + " 0 0 0 20 0\n");
    }

    FakeMachine whileWatched(Runnable change) {
        duringPause.add(change);
        return this;
    }

    FakeMachine jdk(String version) {
        jdk = Runtime.Version.parse(version);
        return this;
    }

    FakeMachine withoutModule(String module) {
        missingModule = module;
        return this;
    }

    FakeMachine user(String name) {
        user = name;
        return this;
    }

    FakeMachine processors(int count) {
        processors = count;
        return this;
    }

    FakeMachine nanosPerReading(long nanos) {
        nanosPerReading = nanos;
        return this;
    }

    List<Duration> pauses() {
        return pauses;
    }

    Finding finding(String id) throws InterruptedException {
        return examine().stream().filter(f -> f.id().equals(id)).findFirst().orElseThrow();
    }

    List<Finding> examine() throws InterruptedException {
        return Doctor.examine(
                new Host(
                        root,
                        root.resolve("tmp"),
                        root,
                        SELF,
                        user,
                        jdk,
                        m -> !m.equals(missingModule),
                        processors,
                        () -> now += nanosPerReading,
                        time -> {
                            pauses.add(time);
                            duringPause.forEach(Runnable::run);
                        }));
    }
}
