package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerThreadsTest {
    @TempDir private Path proc;

    private void thread(long tid, String name, long onCpuNanos) throws IOException {
        Path task = Files.createDirectories(proc.resolve("7/task/" + tid));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), onCpuNanos + " 40112 37\n");
    }

    @Test
    void onlyCompilersCountAndEachSecondOnce() throws IOException {
        var compilers = new CompilerThreads(new ProcFs(proc), 7);
        thread(8, "http-nio-8080-e", 9_000_000_000L);
        thread(9, "C1 CompilerThre", 500_000_000L);
        thread(10, "C2 CompilerThre", 2_000_000_000L);

        assertThat(compilers.takeSeconds()).isCloseTo(2.5, within(1e-9));

        thread(10, "C2 CompilerThre", 2_750_000_000L);
        thread(11, "C2 CompilerThre", 250_000_000L);
        assertThat(compilers.takeSeconds()).isCloseTo(1, within(1e-9));
        assertThat(compilers.takeSeconds()).isZero();
    }

    @Test
    void aThreadThatEndedTakesNothingBack() throws IOException {
        var compilers = new CompilerThreads(new ProcFs(proc), 7);
        thread(10, "C2 CompilerThre", 2_000_000_000L);
        compilers.takeSeconds();
        Files.delete(proc.resolve("7/task/10/comm"));

        assertThat(compilers.takeSeconds()).isZero();
    }

    @Test
    void aRealJvmsCompilersAreSeen() {
        assertThat(new CompilerThreads(ProcFs.SYSTEM, ProcessHandle.current().pid()).takeSeconds())
                .isPositive();
    }
}
