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
        thread(tid, name, onCpuNanos, 40112);
    }

    private void thread(long tid, String name, long onCpuNanos, long waitedNanos)
            throws IOException {
        Path task = Files.createDirectories(proc.resolve("7/task/" + tid));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), onCpuNanos + " " + waitedNanos + " 37\n");
    }

    @Test
    void countsOnlyCompilersOncePerSecond() throws IOException {
        var compilers = new CompilerThreads(new ProcFs(proc), 7);
        thread(8, "http-nio-8080-e", 9_000_000_000L);
        thread(9, "C1 CompilerThre", 500_000_000L);
        thread(10, "C2 CompilerThre", 2_000_000_000L);

        assertThat(compilers.take().used()).isCloseTo(2.5, within(1e-9));

        thread(10, "C2 CompilerThre", 2_750_000_000L);
        thread(11, "C2 CompilerThre", 250_000_000L);
        assertThat(compilers.take().used()).isCloseTo(1, within(1e-9));
        assertThat(compilers.take().used()).isZero();
    }

    @Test
    void endedThreadKeepsItsTime() throws IOException {
        var compilers = new CompilerThreads(new ProcFs(proc), 7);
        thread(10, "C2 CompilerThre", 2_000_000_000L);
        compilers.take();
        Files.delete(proc.resolve("7/task/10/comm"));

        assertThat(compilers.take().used()).isZero();
    }

    @Test
    void compilerDemandIncludesRunQueue() throws IOException {
        var compilers = new CompilerThreads(new ProcFs(proc), 7);
        thread(8, "http-nio-8080-e", 1_000_000_000L, 9_000_000_000L);
        thread(9, "C1 CompilerThre", 500_000_000L, 100_000_000L);
        thread(10, "C2 CompilerThre", 500_000_000L, 2_000_000_000L);
        assertThat(compilers.take().waited()).isCloseTo(2.1, within(1e-9));

        thread(10, "C2 CompilerThre", 520_000_000L, 2_900_000_000L);

        CompilerThreads.Taken starved = compilers.take();
        assertThat(starved.used()).isCloseTo(0.02, within(1e-9));
        assertThat(starved.waited()).isCloseTo(0.9, within(1e-9));
    }

    @Test
    void compilerThreadsOfARealJvmAreFound() {
        assertThat(new CompilerThreads(ProcFs.SYSTEM, ProcessHandle.current().pid()).take().used())
                .isPositive();
    }
}
