package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reads a simulated kernel. The working folder of process 42 is on `sda`; `sdb` has none of its
/// files.
class DiskWatchTest {
    private static final long PID = 42;

    @TempDir Path dir;
    private long nanos;

    @BeforeEach
    void setUp() throws IOException {
        for (String disk : List.of("sda", "sdb")) {
            Path device = dir.resolve("sys/devices").resolve(disk);
            Files.createDirectories(device.resolve("slaves"));
            Files.createDirectories(dir.resolve("sys/class/block"));
            Files.createDirectories(dir.resolve("sys/dev/block"));
            Files.createSymbolicLink(dir.resolve("sys/class/block").resolve(disk), device);
            Files.createSymbolicLink(
                    dir.resolve("sys/dev/block").resolve(disk.equals("sda") ? "8:0" : "8:16"),
                    device);
        }
        Files.createDirectories(dir.resolve("proc/42/fd"));
        workIn("8:0", "sda");
        busy(0, 0);
    }

    private void workIn(String number, String disk) throws IOException {
        Files.deleteIfExists(dir.resolve("proc/42/cwd"));
        Files.createSymbolicLink(dir.resolve("proc/42/cwd"), Path.of("/data"));
        Files.writeString(
                dir.resolve("proc/42/mountinfo"),
                "22 1 %s / / rw - ext4 /dev/%s rw%n".formatted(number, disk));
    }

    /// Sets the milliseconds in which each disk had work.
    private void busy(long sda, long sdb) throws IOException {
        Files.writeString(
                dir.resolve("proc/diskstats"),
                "8 0 sda 1 0 8 5 2 0 16 10 0 %d 150%n8 16 sdb 1 0 8 5 2 0 16 10 0 %d 150%n"
                        .formatted(sda, sdb));
    }

    private DiskWatch watch() {
        return new DiskWatch(
                new DiskDevices(new ProcFs(dir.resolve("proc")), PID, dir.resolve("sys")),
                () -> nanos);
    }

    private void after(double seconds) {
        nanos += Math.round(seconds * 1e9);
    }

    @Test
    void useIsThatSinceTheLastCall() throws IOException {
        DiskWatch watch = watch();
        after(5);
        busy(1000, 5000);
        assertThat(watch.take()).extracting(DiskUse::device).containsExactly("sda");
        after(5);
        busy(3500, 5000);

        assertThat(watch.take()).extracting(DiskUse::utilisation).containsExactly(0.5);
    }

    @Test
    void disksAreFoundAgainAfterAMinute() throws IOException {
        DiskWatch watch = watch();
        workIn("8:16", "sdb");
        after(30);
        assertThat(watch.take()).extracting(DiskUse::device).containsExactly("sda");
        after(30);

        assertThat(watch.take()).extracting(DiskUse::device).containsExactly("sdb");
    }

    @Test
    void kernelWithoutCountersGivesNoDisk() throws IOException {
        Files.delete(dir.resolve("proc/diskstats"));
        DiskWatch watch = watch();
        after(5);

        assertThat(watch.take()).isEmpty();
    }
}
