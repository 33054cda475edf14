package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.thread.ThreadLimit;
import dev.jdyno.measure.thread.ThreadLimit.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadLimitsTest {
    @TempDir Path dir;

    private void write(String file, String text) throws IOException {
        Path path = dir.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private List<ThreadLimit> limits() {
        return ThreadLimits.of(new ProcFs(dir.resolve("proc")), dir.resolve("cgroup"), 42);
    }

    private void process(String addressSpace, String cgroup) throws IOException {
        write(
                "proc/42/limits",
                "Limit  Soft Limit\nMax address space  " + addressSpace + " x bytes\n");
        write("proc/42/status", "Name:\tjava\nVmSize:\t 1048576 kB\nThreads:\t40\n");
        write("proc/42/cmdline", "java\0-Xss256k\0-jar\0app.jar\0");
        write("proc/42/cgroup", cgroup);
    }

    @Test
    void freeAddressSpaceIsDividedByTheStackSize() throws IOException {
        process("2147483648", "");

        assertThat(limits())
                .containsExactly(
                        new ThreadLimit(Kind.ADDRESS_SPACE, 2147483648L, 1073741824L, 4096));
    }

    @Test
    void nearestThreadLimitComesFirstAndParentGroupsCount() throws IOException {
        process("2147483648", "8:pids:/app/web\n");
        write("cgroup/pids/app/pids.max", "100\n");
        write("cgroup/pids/app/pids.current", "97\n");
        write("cgroup/pids/app/web/pids.max", "max\n");
        write("cgroup/pids/app/web/pids.current", "97\n");

        assertThat(limits().getFirst()).isEqualTo(new ThreadLimit(Kind.CGROUP, 100, 97, 3));
        assertThat(limits()).hasSize(2);
    }

    @Test
    void missingLimitIsEmpty() throws IOException {
        process("unlimited", "0::/\n");

        assertThat(limits()).isEmpty();
    }

    @Test
    void theLastStackSizeOnTheCommandLineCounts() {
        assertThat(ThreadLimits.stackBytes("java\0-jar\0a.jar\0")).isEqualTo(1 << 20);
        assertThat(ThreadLimits.stackBytes("java\0-Xss1m\0-XX:ThreadStackSize=512\0"))
                .isEqualTo(512 << 10);
        assertThat(ThreadLimits.stackBytes("java\0-Xss0\0")).isEqualTo(1 << 20);
    }
}
