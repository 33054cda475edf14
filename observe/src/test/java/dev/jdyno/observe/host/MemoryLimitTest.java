package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryLimitTest {
    private static final long PID = 42;

    @TempDir private Path dir;

    private void write(String path, String text) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private Optional<Bytes> limit() {
        return MemoryLimit.of(new ProcFs(dir.resolve("proc")), dir.resolve("cgroup"), PID);
    }

    @Test
    void usesSmallestLimitFromGroupUp() throws IOException {
        write("proc/42/cgroup", "0::/pods/pod1/app\n");
        write("cgroup/pods/pod1/app/memory.max", "2147483648\n");
        write("cgroup/pods/pod1/memory.max", "1073741824\n");
        write("cgroup/pods/memory.max", "max\n");

        assertThat(limit()).contains(new Bytes(1L << 30));
    }

    @Test
    void controllerOfCgroupV1IsReadToo() throws IOException {
        write("proc/42/cgroup", "11:cpu:/docker/ab\n9:memory:/docker/ab\n");
        write("cgroup/memory/docker/ab/memory.limit_in_bytes", "536870912\n");

        assertThat(limit()).contains(new Bytes(512L << 20));
    }

    @Test
    void cgroupV1MaximumIsNoLimit() throws IOException {
        write("proc/42/cgroup", "9:memory:/\n");
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");

        assertThat(limit()).isEmpty();
    }

    @Test
    void remainingMemoryIsLimitMinusUnreclaimableUse() throws IOException {
        write("proc/42/cgroup", "0::/pods/pod1/app\n");
        write("cgroup/pods/pod1/app/memory.max", "2147483648\n");
        write("cgroup/pods/pod1/app/memory.current", "1073741824\n");
        write("cgroup/pods/pod1/app/memory.stat", "anon 1\ninactive_file 536870912\n");
        write("cgroup/pods/pod1/memory.max", "3221225472\n");
        write("cgroup/pods/pod1/memory.current", "1073741824\n");

        assertThat(left()).contains(new Bytes(1536L << 20));
    }

    @Test
    void overfullGroupLeavesNothing() throws IOException {
        write("proc/42/cgroup", "9:memory:/docker/ab\n");
        write("cgroup/memory/docker/ab/memory.limit_in_bytes", "536870912\n");
        write("cgroup/memory/docker/ab/memory.usage_in_bytes", "536870913\n");
        write("cgroup/memory/docker/ab/memory.stat", "total_inactive_file many\n");

        assertThat(left()).contains(new Bytes(0));
    }

    private Optional<Bytes> left() {
        return MemoryLimit.left(new ProcFs(dir.resolve("proc")), dir.resolve("cgroup"), PID);
    }

    @Test
    void ignoresUnreadableGroup() throws IOException {
        write("proc/42/cgroup", "0::/gone\n");

        assertThat(limit()).isEmpty();
    }

    @Test
    void aPathThatLeadsOutOfTheMountIsNotFollowed() throws IOException {
        write("proc/42/cgroup", "0::/../../elsewhere\n");
        write("elsewhere/memory.max", "1\n");

        assertThat(limit()).isEmpty();
    }
}
