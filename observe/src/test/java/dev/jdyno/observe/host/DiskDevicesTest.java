package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskDevicesTest {
    private static final long PID = 42;

    @TempDir Path dir;
    private ProcFs proc = ProcFs.SYSTEM;
    private Path sys = Path.of("/sys");

    @BeforeEach
    void setUp() throws IOException {
        proc = new ProcFs(dir.resolve("proc"));
        sys = dir.resolve("sys");
        Files.createDirectories(sys.resolve("class/block"));
        Files.createDirectories(sys.resolve("dev/block"));
        Files.createDirectories(dir.resolve("proc/42/fd"));
    }

    private void file(String path, String text) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /// Adds a device to the kernel's tree, and the devices of which it is made.
    private void device(String name, String number, String... madeOf) throws IOException {
        Path there = sys.resolve("devices").resolve(name);
        Files.createDirectories(there.resolve("slaves"));
        for (String below : madeOf) {
            Files.createSymbolicLink(there.resolve("slaves/" + below), Path.of("../../" + below));
        }
        Files.createSymbolicLink(sys.resolve("class/block/" + name), there);
        Files.createSymbolicLink(sys.resolve("dev/block/" + number), there);
    }

    private void partition(String name, String number, String of) throws IOException {
        Path there = sys.resolve("devices").resolve(of).resolve(name);
        Files.createDirectories(there);
        Files.writeString(there.resolve("partition"), "1\n");
        Files.createSymbolicLink(sys.resolve("class/block/" + name), there);
        Files.createSymbolicLink(sys.resolve("dev/block/" + number), there);
    }

    private List<DiskUse> between(String before, String after) throws IOException {
        var disks = new DiskDevices(proc, PID, sys);
        file("proc/diskstats", before);
        var from = disks.read();
        file("proc/diskstats", after);
        return disks.between(from, disks.read(), 2);
    }

    @Test
    void figuresCoverTimeBetweenTwoReadings() throws IOException {
        device("sda", "8:0");

        DiskUse sda =
                between(
                                "8 0 sda 100 0 800 50 200 0 1600 100 0 1000 150 0 0 0 0 10 20\n",
                                "8 0 sda 300 0 4800 1050 400 0 5600 2100 3 2900 3150 0 0 0 0 60 120\n")
                        .getFirst();

        assertThat(sda.readsPerS()).isEqualTo(100);
        assertThat(sda.writesPerS()).isEqualTo(100);
        assertThat(sda.readBytesPerS()).isEqualTo(4000 * 512 / 2.0);
        assertThat(sda.writtenBytesPerS()).isEqualTo(4000 * 512 / 2.0);
        assertThat(sda.utilisation()).isEqualTo(0.95);
        assertThat(sda.waitMs()).contains(7.5);
        assertThat(sda.queueDepth()).isEqualTo(1.5);
        assertThat(sda.flushes()).contains(new DiskUse.Flushes(25, Optional.of(2.0)));
    }

    @Test
    void leavesOutCountersThatOldKernelsLack() throws IOException {
        device("sda", "8:0");

        DiskUse sda =
                between(
                                "8 0 sda 100 0 800 50 200 0 1600 100 0 1000 150\n",
                                "8 0 sda 101 0 808 51 200 0 1600 100 0 1001 151\n")
                        .getFirst();

        assertThat(sda.flushes()).isEmpty();
    }

    @Test
    void continuesAfterOverflowOfMilliseconds() throws IOException {
        device("sda", "8:0");

        DiskUse sda =
                between(
                                "8 0 sda 100 0 800 4294967290 200 0 1600 100 0 4294967000 0\n",
                                "8 0 sda 110 0 880 4 200 0 1600 100 0 704 0\n")
                        .getFirst();

        assertThat(sda.waitMs()).contains(1.0);
        assertThat(sda.utilisation()).isEqualTo(0.5);
    }

    @Test
    void countsOnlyPhysicalDisks() throws IOException {
        device("sda", "8:0");
        partition("sda1", "8:1", "sda");
        device("dm-0", "253:0", "sda1");
        device("loop0", "7:0");
        String line = " 0 0 0 0 0 0 0 0 0 0 0\n";
        String busy = " 9 0 9 9 0 0 0 0 0 9 9\n";

        assertThat(
                        between(
                                "8 0 sda"
                                        + line
                                        + "8 1 sda1"
                                        + line
                                        + "253 0 dm-0"
                                        + line
                                        + "7 0 loop0"
                                        + line
                                        + "252 0 zram0"
                                        + line,
                                "8 0 sda"
                                        + busy
                                        + "8 1 sda1"
                                        + busy
                                        + "253 0 dm-0"
                                        + busy
                                        + "7 0 loop0"
                                        + busy
                                        + "252 0 zram0"
                                        + busy))
                .extracting(DiskUse::device)
                .containsExactly("sda");
    }

    /// The log lies on a volume of two disks, the working folder on a partition of a third disk. A
    /// fourth disk has no file of the target and was idle.
    @Test
    void findsDisksOfTargetFilesThroughPartitionsAndVolumes() throws IOException {
        device("sda", "8:0");
        partition("sda2", "8:2", "sda");
        device("sdb", "8:16");
        device("sdc", "8:32");
        device("sdd", "8:48");
        device("dm-3", "253:3", "sdb", "sdc");
        file(
                "proc/42/mountinfo",
                """
                22 1 0:21 / /proc rw - proc proc rw
                27 1 8:2 / / rw,relatime - ext4 /dev/sda2 rw
                31 27 253:3 / /var/log rw shared:7 - xfs /dev/mapper/logs rw
                """);
        Files.createSymbolicLink(dir.resolve("proc/42/cwd"), Path.of("/srv/app"));
        Files.createSymbolicLink(dir.resolve("proc/42/fd/5"), Path.of("/var/log/app/a.log"));
        Files.createSymbolicLink(dir.resolve("proc/42/fd/6"), Path.of("socket:[77]"));
        file("proc/42/fdinfo/5", "pos:\t0\nflags:\t0100001\nmnt_id:\t31\n");
        String none = " 0 0 0 0 0 0 0 0 0 0 0\n";
        String all = "8 0 sda" + none + "8 16 sdb" + none + "8 32 sdc" + none + "8 48 sdd" + none;

        assertThat(between(all, all))
                .extracting(DiskUse::device)
                .containsExactly("sda", "sdb", "sdc");
    }

    @Test
    void diskOfContainerRootIsThatOfWritableLayer() throws IOException {
        device("vda", "254:0");
        file(
                "proc/42/mountinfo",
                "90 80 0:55 / / rw - overlay overlay rw,lowerdir=/l/A,upperdir=/var/lib/docker/u,workdir=/w\n");
        file("proc/self/mountinfo", "27 1 254:0 / / rw - ext4 /dev/vda rw\n");
        Files.createSymbolicLink(dir.resolve("proc/42/cwd"), Path.of("/app"));

        assertThat(new TargetDisks(proc, PID, sys).names()).isEqualTo(Set.of("vda"));
    }

    @Test
    void reportsKernelWithoutDiskCounters() {
        var disks = new DiskDevices(proc, PID, sys);

        assertThat(disks.read()).isEmpty();
        assertThat(disks.missing().orElseThrow()).contains("/proc/diskstats cannot be read");
    }

    @Test
    void namesOtherProcessesThatUseDisks() throws IOException {
        var others = new NeighbourDisks(proc, Set.of(PID));
        file("proc/7/comm", "dd\n");
        file("proc/7/io", "rchar: 1\nread_bytes: 0\nwrite_bytes: 1048576\n");
        file("proc/42/io", "read_bytes: 0\nwrite_bytes: 0\n");
        var before = others.read();
        file("proc/7/io", "rchar: 1\nread_bytes: 0\nwrite_bytes: 22020096\n");
        file("proc/42/io", "read_bytes: 0\nwrite_bytes: 99999999\n");

        var seen = others.between(before, others.read(), 2);

        assertThat(seen.of(Sign.NEIGHBOUR_DISK_BYTES_PER_S)).contains(10.0 * 1024 * 1024);
        assertThat(seen.place(Sign.NEIGHBOUR_DISK_BYTES_PER_S)).contains("dd (pid 7) 10.0 MiB/s");
    }

    /// Real files: this process forces 30 blocks to the disk of its own working folder.
    @Test
    void countsOwnForcedWrites() throws IOException, InterruptedException {
        long own = ProcessHandle.current().pid();
        Set<String> mine = new TargetDisks(ProcFs.SYSTEM, own, Path.of("/sys")).names();
        Path file = Files.createTempFile(Path.of("").toAbsolutePath(), "disk", ".probe");
        try {
            var disks = new DiskDevices(ProcFs.SYSTEM, own);
            Map<String, DiskDevices.Totals> before = disks.read();
            Assumptions.assumeTrue(
                    mine.stream().anyMatch(before::containsKey), "the folder lies on no disk");
            long start = System.nanoTime();
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                for (int i = 0; i < 30; i++) {
                    channel.write(java.nio.ByteBuffer.allocate(4096));
                    channel.force(true);
                }
            }
            var after = disks.read();
            double seconds = Math.max(0.25, (System.nanoTime() - start) / 1e9);

            List<DiskUse> seen = disks.between(before, after, seconds);

            assertThat(seen.stream().filter(DiskUse::ofTarget))
                    .anySatisfy(d -> {
                        assertThat(d.writesPerS() * seconds).isGreaterThanOrEqualTo(30);
                        assertThat(d.writtenBytesPerS() * seconds)
                                .isGreaterThanOrEqualTo(30 * 4096);
                        assertThat(d.waitMs()).isPresent();
                    });
        } finally {
            Files.delete(file);
        }
    }
}
