package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.statistics.Trend;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.ServerWindow;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.Jcmd;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class FlightFiguresTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void recordingMatchesCountersAndAddsCausesAndLongestPause(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "allocate", "-Xmx32m", "-Xmn8m");
                Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
            // the recording may miss its first second
            collect(observer, 20);
            Instant from = Instant.now();
            long before = collections(observer.take());
            GcActivity counted = collect(observer, 30);
            Instant to = Instant.now();
            // collections that happened while the counters were read, which takes long on busy
            // cores
            long around = before + collections(observer.take());

            FlightFigures figures = observer.finishRecording(Frames.builtIn()).orElseThrow();
            GcActivity refined = figures.refine(counted, from, to, 100);

            assertThat(refined.young()).isEqualTo(counted.young());
            assertThat(refined.pauseShare() / counted.pauseShare()).isBetween(0.5, 2.0);
            var detail = refined.detail().orElseThrow();
            long within = counted.young().count() + counted.full().count();
            assertThat((double) detail.causes().values().stream().mapToLong(n -> n).sum())
                    .isBetween(0.8 * within, 1.2 * (within + around));
            assertThat(detail.longestPauseMs()).isPositive();
            assertThat(detail.stalledThreads()).isZero();
            assertThat(observer.facts().means()).contains("jfr");

            // if no counter has the allocation, its samples are used
            GcActivity blind =
                    new GcActivity(
                            counted.young(),
                            counted.full(),
                            counted.pauseShare(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty());
            assertThat(
                            figures.refine(blind, from, to, 100).allocBytesPerS().orElseThrow()
                                    / counted.allocBytesPerS().orElseThrow())
                    .isBetween(0.5, 2.0);
            assertThat(figures.refine(counted, from.minusSeconds(3600), to, 100))
                    .as("a round the recording does not reach back to")
                    .isEqualTo(counted);
        }
    }

    @Tag("full") // three recordings of seconds under load for each JDK
    @ParameterizedTest
    @MethodSource("jdks")
    void readsLiveBytesAfterFullCollections(Path jdk) throws Exception {
        for (String collector : List.of("Serial", "Parallel", "G1")) {
            try (Target target =
                            Victims.launch(
                                    jdk,
                                    dir,
                                    "allocate",
                                    "-XX:+Use" + collector + "GC",
                                    "-Xmx64m");
                    Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
                GcActivity before = collect(observer, 5);
                Instant from = Instant.now();
                for (int i = 0; i < 3; i++) {
                    new Jcmd(target.pid()).run("GC.run");
                }
                Instant to = Instant.now();
                List<Trend.Point> left =
                        observer.finishRecording(Frames.builtIn())
                                .orElseThrow()
                                .refine(before, from, to, 100)
                                .detail()
                                .orElseThrow()
                                .afterFull();

                assertThat(left).as(collector).hasSizeGreaterThanOrEqualTo(3);
                assertThat(left)
                        .isSortedAccordingTo(Comparator.comparingDouble(Trend.Point::atS))
                        .allSatisfy(p -> assertThat(p.value()).isBetween(1e5, 64.0 * (1 << 20)))
                        .allSatisfy(p ->
                                assertThat(p.atS())
                                        .isBetween(
                                                from.toEpochMilli() / 1e3 - 1,
                                                to.toEpochMilli() / 1e3 + 1));
            }
        }
    }

    /// Takes windows until they contain this number of collections. Returns their sum.
    private static long collections(ServerWindow window) {
        GcActivity gc = window.gc().orElseThrow();
        return gc.young().count() + gc.full().count();
    }

    private static GcActivity collect(Observer observer, int collections) throws Exception {
        List<ServerWindow> windows = new java.util.ArrayList<>();
        long seen = 0;
        while (seen < collections || windows.size() < 3) {
            // sleeps: the recorded time
            java.util.concurrent.TimeUnit.MILLISECONDS.sleep(500);
            windows.add(observer.take());
            seen += windows.getLast().gc().orElseThrow().young().count();
        }
        return ServerWindow.over(windows).gc().orElseThrow();
    }

    /// A victim that computes, with and without its compilers.
    @Tag("full") // three recordings of seconds under load for each JDK
    @ParameterizedTest
    @MethodSource("jdks")
    void distinguishesInterpretedFromCompiledCode(Path jdk) throws Exception {
        assertThat(interpreted(jdk, "-XX:TieredStopAtLevel=1")).isLessThan(0.3);
        assertThat(interpreted(jdk, "-Xint")).isGreaterThan(0.9);
    }

    private double interpreted(Path jdk, String flag) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "compute", flag);
                Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
            // sleeps: the recorded time
            java.util.concurrent.TimeUnit.SECONDS.sleep(2);
            Instant from = Instant.now();
            // sleeps: the recorded time
            java.util.concurrent.TimeUnit.SECONDS.sleep(3);
            Signals code =
                    observer.finishRecording(Frames.builtIn())
                            .orElseThrow()
                            .code(from, Instant.now())
                            .orElseThrow();
            return code.of(Sign.INTERPRETED_SHARE).orElseThrow();
        }
    }

    /// Flight recorder samples are taken anywhere in the code, thread dumps only at safepoints.
    @Tag("full") // three recordings of seconds under load for each JDK
    @ParameterizedTest
    @MethodSource("jdks")
    void placesOfWorkComeFromSamplesOfRequests(Path jdk) throws Exception {
        Frames serving = Frames.parse(List.of("serving Victim.work"));
        try (Target target = Victims.launch(jdk, dir, "compute");
                Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
            // sleeps: the recorded time
            java.util.concurrent.TimeUnit.SECONDS.sleep(2);
            Instant from = Instant.now();
            // sleeps: the recorded time
            java.util.concurrent.TimeUnit.SECONDS.sleep(9);
            Instant to = Instant.now();
            Path recording = dir.resolve("recording.jfr");
            observer.finishRecording(serving);

            var places = FlightFigures.read(recording, serving).places(from, to, Set.of());
            assertThat(places).isPresent();
            assertThat(places.get().shares().values().stream().mapToDouble(s -> s).sum())
                    .isCloseTo(1, within(1e-9));
            assertThat(places.get().shares())
                    .containsKey(PlaceText.place(Cause.CPU, "Victim.compute"));
            assertThat(places.get().shares().get(PlaceText.place(Cause.CPU, "Victim.compute")))
                    .isGreaterThan(0.8);
            assertThat(
                            FlightFigures.read(recording, serving)
                                    .places(to, to.plusSeconds(9), Set.of()))
                    .as("no samples, no places")
                    .isEmpty();
            boolean byCpuTime = target.facts().jdkVersion().orElseThrow().startsWith("25");
            assertThat(places.get().signals().place(Sign.CPU_SAMPLES).orElseThrow())
                    .startsWith(byCpuTime ? "jdk.CPUTimeSample, " : "jdk.ExecutionSample");
            assertThat(places.get().signals().of(Sign.CPU_SAMPLES_LOST).isPresent())
                    .isEqualTo(byCpuTime);
            var nobodys =
                    FlightFigures.read(
                            recording, Frames.parse(List.of("serving com.acme.Page.get")));
            assertThat(nobodys.places(from, to, Set.of()))
                    .as("a thread that serves nothing")
                    .isEmpty();
            assertThat(nobodys.places(from, to, Set.of("pool-1-thread"))).isPresent();
        }
    }

    @Test
    void refusesFileThatIsNoRecording() throws IOException {
        Path file = Files.writeString(dir.resolve("recording.jfr"), "not a recording");

        assertThatThrownBy(() -> FlightFigures.read(file, Frames.builtIn()))
                .isInstanceOf(IOException.class);
    }
}
