package dev.jdyno.observe.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import dev.jdyno.target.Victims;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// async-profiler in real JVMs.
class ProfilerTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    private static List<String> frames(Profile.Node node) {
        List<String> all = new ArrayList<>(List.of(node.frame()));
        node.children().forEach(c -> all.addAll(frames(c)));
        return all;
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theMethodThatBurnsIsSeenOnACoreAndInItsPool(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "burn");
                Profiler profiler =
                        Profiler.of(target, NanoClock.SYSTEM, () -> false, Frames.builtIn())) {
            assertThat(profiler.missing()).isEmpty();

            Profile cpu = profiler.cpu(Duration.ofMillis(600)).orElseThrow();

            assertThat(frames(cpu.root())).contains("pool-1-thread", "Victim.burn");
            // at most all cores of the machine, and more than zero
            assertThat(cpu.root().samples() * cpu.threadsPerSample())
                    .isBetween(0.05, Runtime.getRuntime().availableProcessors() + 0.5);
        }
        assertThat(leftBehind()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void wallProfileHasOnlyBusyThreadsOfPool(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "sleep");
                Profiler profiler =
                        Profiler.of(target, NanoClock.SYSTEM, () -> false, Frames.builtIn())) {
            Profile wall = profiler.wall(Duration.ofMillis(600)).orElseThrow();

            assertThat(frames(wall.root())).contains("pool-1-thread", "Victim.work");
            assertThat(frames(wall.root()))
                    .doesNotContain("java.util.concurrent.ThreadPoolExecutor.getTask");
            // four of six threads sleep during a request
            double busy =
                    wall.root().children().stream()
                                    .filter(c -> c.frame().equals("pool-1-thread"))
                                    .mapToLong(Profile.Node::samples)
                                    .sum()
                            * wall.threadsPerSample();
            assertThat(busy).isBetween(2.0, 5.5);
        }
    }

    /// Files left in `/tmp`, without the profiler's library, which is removed with a launched
    /// target.
    private static List<Path> leftBehind() throws Exception {
        try (var files = Files.list(Path.of("/tmp"))) {
            return files.filter(f ->
                            f.getFileName()
                                    .toString()
                                    .startsWith("jdyno-" + ToolMark.own() + "-profiler"))
                    .toList();
        }
    }
}
