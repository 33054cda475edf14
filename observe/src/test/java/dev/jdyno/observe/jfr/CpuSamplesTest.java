package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.profiler.NativeProfiler;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// CPU samples of both kinds, from flight recordings of real JVMs.
class CpuSamplesTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    private static SampleKind kind(Target target) throws Exception {
        return SampleKind.ofVersion(target.facts().jdkVersion());
    }

    private static List<String> frames(Profile.Node node) {
        List<String> all = new ArrayList<>(List.of(node.frame()));
        node.children().forEach(c -> all.addAll(frames(c)));
        return all;
    }

    /// A profile, and the number of cores used by the kernel's counters.
    private record Seen(Optional<Profile> profile, double cores) {}

    /// Observation of a victim that no other tool observes.
    ///
    /// @param kind of samples that its JVM has
    private record Alone(Seen seen, SampleKind kind, List<String> missing) {}

    private Alone alone(Path jdk, String mode) throws Exception {
        try (Target target = Victims.launch(jdk, dir, mode);
                Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
            return new Alone(seen(target, observer), kind(target), observer.facts().missing());
        }
    }

    private Seen seen(Target target, Observer observer) throws Exception {
        // sleeps: the sampled time
        TimeUnit.SECONDS.sleep(1);
        observer.take();
        Instant from = Instant.now();
        // sleeps: the sampled time
        TimeUnit.SECONDS.sleep(3);
        double cores = observer.take().cpu().map(CpuUse::processCores).orElseThrow();
        Instant to = Instant.now();
        observer.finishRecording(Frames.builtIn());
        assertThat(target.isAlive()).isTrue();
        return new Seen(CpuSamples.read(dir.resolve("recording.jfr"), from, to, cores), cores);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void profileHasItsKindAndUsedCores(Path jdk) throws Exception {
        Alone victim = alone(jdk, "compute");

        Profile cpu = victim.seen().profile().orElseThrow();
        assertThat(cpu.source()).startsWith("jfr " + victim.kind().event());
        assertThat(frames(cpu.root())).contains("pool-1-thread", "Victim.compute");
        // the sampler's own sum is compared with the kernel's figure, without scaling
        assertThat(cpu.root().samples() * cpu.threadsPerSample() / victim.seen().cores())
                .isBetween(0.75, 1.25);
        assertThat(victim.missing()).noneMatch(m -> m.startsWith("jfr:"));
    }

    /// Only samples by CPU time include native code.
    @Tag("full") // recordings of seconds under load
    @ParameterizedTest
    @MethodSource("jdks")
    void profileByCpuTimeHasNativeMethods(Path jdk) throws Exception {
        Alone victim = alone(jdk, "deflate");

        assertThat(
                        victim.seen().profile().stream()
                                .flatMap(p -> frames(p.root()).stream())
                                .anyMatch("java.util.zip.Deflater.deflateBytesBytes"::equals))
                .isEqualTo(victim.kind() == SampleKind.CPU_TIME);
    }

    /// Another profiler uses the signal that the JVM needs for its timers.
    @Tag("full") // recordings of seconds under load
    @Test
    void reportsOlderSamplerIfProfilerUsesSignal() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "compute");
                var profiler =
                        NativeProfiler.load(
                                target,
                                NanoClock.SYSTEM,
                                () -> false,
                                new StackClassifier(Frames.builtIn()))) {
            assumeThat(kind(target)).isEqualTo(SampleKind.CPU_TIME);
            profiler.cpu(Duration.ofMillis(200));
            try (Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
                Seen seen = seen(target, observer);

                assertThat(observer.facts().missing())
                        .anyMatch(m -> m.startsWith("jfr: no jdk.CPUTimeSample"));
                assertThat(observer.facts().means()).contains("jfr");
                assertThat(seen.profile().orElseThrow().source())
                        .isEqualTo("jfr jdk.ExecutionSample");
            }
        }
    }

    /// The reverse order: jdyno starts first, and async-profiler's flame graphs follow.
    @Tag("full") // recordings of seconds under load
    @Test
    void laterProfilerDoesNotReduceSamples() throws Exception {
        try (Target target = Victims.launch(jdks().getFirst(), dir, "compute");
                Observer observer = Observer.open(target, NanoClock.SYSTEM, dir);
                var profiler =
                        NativeProfiler.load(
                                target,
                                NanoClock.SYSTEM,
                                () -> false,
                                new StackClassifier(Frames.builtIn()))) {
            assumeThat(kind(target)).isEqualTo(SampleKind.CPU_TIME);
            Profile before = profiler.cpu(Duration.ofMillis(400));
            assertThat(frames(before.root())).contains("Victim.compute");
            Seen seen = seen(target, observer);

            assertThat(seen.profile().orElseThrow().source()).contains("jdk.CPUTimeSample");
        }
    }

    /// Two samples of 10 ms, one of 20 ms (the machine had other cores then) and a lost one: 50 ms
    /// of 1 s.
    @Test
    void weightsSamplesByTimeAndCountsLostSamples() {
        Profile cpu =
                CpuSamples.byCpuTime(
                        List.of(sample(10, "A.a"), sample(20, "A.b"), sample(10)), 1, 1.0);

        assertThat(cpu.root().samples() * cpu.threadsPerSample()).isCloseTo(0.05, within(1e-9));
        assertThat(frames(cpu.root())).contains("A.a", "A.b", "[no stack]", "[lost samples]");
        assertThat(
                        cpu.root().children().getFirst().children().stream()
                                .filter(n -> n.frame().equals("A.b"))
                                .findFirst()
                                .orElseThrow()
                                .samples())
                .isEqualTo(2);
    }

    private static ThreadSample sample(int periodMs, String... frames) {
        return new ThreadSample(
                Instant.EPOCH,
                "worker-1",
                List.of(frames),
                frames.length == 0 ? ThreadSample.Top.UNKNOWN : ThreadSample.Top.COMPILED,
                false,
                Duration.ofMillis(periodMs));
    }

    @Test
    void requestsOneKindWithinLimitOfJvm() throws Exception {
        String settings =
                Files.readString(
                        Path.of(
                                CpuSamplesTest.class
                                        .getResource("/dev/jdyno/observe/jdyno.jfc")
                                        .toURI()));

        assertThat(SampleKind.CPU_TIME.in(settings, 2))
                .contains(
                        "\"jdk.ExecutionSample\"><setting name=\"enabled\">false",
                        "\"jdk.CPUTimeSample\"><setting name=\"enabled\">true",
                        "<setting name=\"throttle\">20 ms<")
                .doesNotContain("@");
        assertThat(SampleKind.EXECUTION.in(settings, 2))
                .contains(
                        "\"jdk.ExecutionSample\"><setting name=\"enabled\">true",
                        "\"jdk.CPUTimeSample\"><setting name=\"enabled\">false")
                .doesNotContain("@");
        assertThat(SampleKind.period(2)).isEqualTo(Duration.ofMillis(20));
        assertThat(SampleKind.period(64)).isEqualTo(Duration.ofMillis(128));
        assertThat(SampleKind.of(Optional.of(21))).isEqualTo(SampleKind.EXECUTION);
        assertThat(SampleKind.of(Optional.empty())).isEqualTo(SampleKind.EXECUTION);
    }
}
