package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskLimitsTest {
    private static final long PID = 42;

    @TempDir private Path dir;

    private void write(String path, String text) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private Signals limits() {
        return DiskLimits.of(new ProcFs(dir.resolve("proc")), dir.resolve("cgroup"), PID);
    }

    @Test
    void usesSmallestLimitOfEachKindFromGroupUp() throws IOException {
        write("proc/42/cgroup", "0::/pods/app\n");
        write("cgroup/pods/app/io.max", "8:0 rbps=max wbps=max riops=max wiops=500\n");
        write("cgroup/pods/io.max", "8:0 rbps=2097152 wbps=max riops=max wiops=240\n");

        assertThat(limits().of(Sign.DISK_LIMITS)).contains(2.0);
        assertThat(limits().place(Sign.DISK_LIMITS)).contains("2.00 MiB/s read, 240 writes/s");
    }

    @Test
    void controllerOfCgroupV1IsReadToo() throws IOException {
        write("proc/42/cgroup", "11:cpu:/docker/ab\n9:blkio:/docker/ab\n");
        write("cgroup/blkio/docker/ab/blkio.throttle.write_iops_device", "8:0 240\n8:16 900\n");
        write("cgroup/blkio/docker/ab/blkio.throttle.read_iops_device", "");

        assertThat(limits().place(Sign.DISK_LIMITS)).contains("240 writes/s");
    }

    @Test
    void diskLimitIsEmptyWithoutALimit() throws IOException {
        write("proc/42/cgroup", "0::/app\n");
        write("cgroup/app/io.max", "");

        assertThat(limits()).isEqualTo(Signals.NONE);
    }
}
