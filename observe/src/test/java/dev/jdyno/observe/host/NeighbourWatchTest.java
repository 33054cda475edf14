package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.Neighbour;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeighbourWatchTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir Path root;
    private long nanos;
    private long perLook;

    /// A clock that advances by this time at each reading, so that a sample takes time, too.
    private long clock() {
        nanos += perLook;
        return nanos;
    }

    private NeighbourWatch watch() {
        return new NeighbourWatch(new ProcFs(root), 13, 7, this::clock, 0.01);
    }

    private void burnt(long ticks) throws IOException {
        process(30, 1, ticks, 0);
    }

    /// @param ended CPU ticks of its ended children
    private void process(long pid, long parent, long ticks, long ended) throws IOException {
        Path of = Files.createDirectories(root.resolve(Long.toString(pid)));
        Files.writeString(of.resolve("comm"), "burn\n");
        Files.writeString(
                of.resolve("stat"),
                "%d (burn) R %d 1 1 0 -1 0 0 0 0 0 %d 0 %d 0 20 0 1 0 4000 0 0"
                        .formatted(pid, parent, ticks, ended));
    }

    /// The target 13 has a child 20, which has a child of its own. Process 40 is a child of jdyno.
    @Test
    void countsCpuOfRunningAndEndedChildren() throws IOException {
        process(13, 1, 1000, 300);
        process(20, 13, 5000, 0);
        process(21, 20, 700, 0);
        process(40, 7, 0, 0);
        NeighbourWatch watch = watch();
        nanos += SECOND;
        process(13, 1, 1100, 300);
        process(20, 13, 5050, 0);
        process(21, 20, 730, 0);
        process(40, 7, 90, 0);
        assertThat(watch.take()).isEmpty();
        assertThat(childCores(watch)).isCloseTo(0.8, within(1e-9));

        // the grandchild ended after 10 more ticks, and other processes used 25 ticks meanwhile
        nanos += SECOND;
        Files.delete(root.resolve("21/stat"));
        process(13, 1, 1200, 325);
        process(20, 13, 5050, 740);
        assertThat(watch.take()).isEmpty();
        assertThat(childCores(watch)).isCloseTo(0.35, within(1e-9));
    }

    private static double childCores(NeighbourWatch watch) {
        return watch.children().stream().mapToDouble(ChildProgram::cores).sum();
    }

    @Test
    void eachWindowHasTheUseSinceThePreviousWindow() throws IOException {
        burnt(700);
        NeighbourWatch watch = watch();
        nanos += SECOND;
        burnt(800);
        assertThat(watch.take()).containsExactly(new Neighbour("burn", 30, 1));
        nanos += 2 * SECOND;
        burnt(850);
        assertThat(watch.take()).containsExactly(new Neighbour("burn", 30, 0.25));
        nanos += SECOND;
        assertThat(watch.take()).isEmpty();
    }

    @Test
    void twoTakesAtOnceReadOnce() throws IOException {
        burnt(0);
        NeighbourWatch watch = watch();
        nanos += SECOND;
        burnt(100);
        assertThat(watch.take()).hasSize(1);
        burnt(900);
        assertThat(watch.take()).containsExactly(new Neighbour("burn", 30, 1));
    }

    /// A reading that takes 20 ms is made at most every 2 s, so it uses 1 % of a core.
    @Test
    void readsCostlyCounterLessOftenThanOncePerWindow() throws IOException {
        perLook = 20_000_000;
        burnt(0);
        NeighbourWatch watch = watch();
        nanos += SECOND;
        burnt(100);
        assertThat(watch.take()).isEmpty();
        nanos += SECOND;
        burnt(210);
        assertThat(watch.take()).hasSize(1);
    }
}
