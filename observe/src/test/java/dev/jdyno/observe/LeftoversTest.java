package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.Leftovers.Leftover;
import dev.jdyno.observe.jfr.FlightRecording;
import dev.jdyno.observe.profiler.NativeProfiler;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stacks.StackClassifier;
import dev.jdyno.target.Left;
import dev.jdyno.target.LeftFolders;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Processes that a killed jdyno left running change every later measurement.
class LeftoversTest {
    /// Mark of a jdyno with our process id and another start time, such as one of an earlier
    /// container.
    private static final String KILLED = ProcessHandle.current().pid() + "t1";

    private static final String ALL = "event=wall,interval=20000000";

    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void reportsLeftoversWithCommandsThatEndThem(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "sleep");
                var profiler = profiler(target)) {
            assertThat(Leftovers.in(target)).isEmpty();
            target.jcmd().run("JFR.start name=jdyno-" + KILLED, FlightRecording.LIMIT);
            target.jcmd().run("JFR.start name=jdyno-" + KILLED + "-old", FlightRecording.LIMIT);
            target.jcmd().run("JFR.start name=jdyno-" + KILLED + "-thrown", FlightRecording.LIMIT);
            target.jcmd().run("JFR.start name=jdyno-" + ToolMark.own(), FlightRecording.LIMIT);
            Path left = Left.by(KILLED, "run", Left.mark(target));
            target.jcmd().run("VM.log output=file=" + left + "/gc.log what=gc=info");
            profiler.start(ALL, Duration.ofMinutes(1));

            List<Leftover> seen = Leftovers.in(target);

            assertThat(seen)
                    .extracting(Leftover::what)
                    .containsExactlyInAnyOrder(
                            "the flight recording jdyno-" + KILLED,
                            "the flight recording jdyno-" + KILLED + "-old",
                            "the flight recording jdyno-" + KILLED + "-thrown",
                            "the GC log " + left + "/gc.log",
                            "async-profiler");
            assertThat(seen).allMatch(l -> l.end().startsWith("jcmd " + target.pid() + " "));
            assertThat(Leftovers.in(target)).as("looking ends nothing").isEqualTo(seen);

            assertThat(Leftovers.end(target)).isEqualTo(seen);

            assertThat(Leftovers.in(target)).isEmpty();
            assertThat(target.jcmd().run("JFR.check")).contains("jdyno-" + ToolMark.own());
            LeftFolders.remove(ProcFs.SYSTEM, target.pid());
            assertThat(left).doesNotExist();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    @Timeout(300)
    void profileEndsAfterJdynoWasKilled(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "sleep");
                var profiler = profiler(target)) {
            // long enough to be seen running on a busy machine
            profiler.start(ALL, Duration.ofSeconds(10));
            assertThat(NativeProfiler.running(target)).isPresent();

            while (NativeProfiler.running(target).isPresent()) {
                Thread.onSpinWait();
            }
        }
    }

    private static NativeProfiler profiler(Target target) throws InterruptedException {
        return NativeProfiler.load(
                target, NanoClock.SYSTEM, () -> false, new StackClassifier(Frames.builtIn()));
    }
}
