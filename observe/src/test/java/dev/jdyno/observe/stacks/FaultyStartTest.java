package dev.jdyno.observe.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.jfr.SideRecording;
import dev.jdyno.observe.profiler.NativeProfiler;
import dev.jdyno.target.Faults;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// If the start of a recorder fails, no recorder keeps running in the target, and no file stays.
@Timeout(300)
class FaultyStartTest {
    @TempDir Path dir;

    /// An ended target that was attached would leave the folder of its profiler for a later run.
    @AfterEach
    void removeLibraries() throws IOException {
        for (String folder : folders("profiler")) {
            for (Path file : List.of(Path.of(folder, "libasyncProfiler.so"), Path.of(folder))) {
                Files.deleteIfExists(file);
            }
        }
    }

    private interface Starting {
        void with(Target target) throws InterruptedException;
    }

    @ParameterizedTest
    @EnumSource
    void failedObservationLeavesNothing(Faults.Kind kind) throws Exception {
        int steps =
                failEachStep(kind, target -> Observer.open(target, NanoClock.SYSTEM, dir).close());

        assertThat(steps).as("questions asked of the JVM").isGreaterThan(6);
    }

    @ParameterizedTest
    @EnumSource
    void failedRecordingLeavesNothing(Faults.Kind kind) throws Exception {
        int steps =
                failEachStep(
                        kind,
                        target -> {
                            var recording = SideRecording.start(target, "tested", "-old", SETTINGS);
                            try {
                                recording.finish(Files::size);
                            } finally {
                                recording.end();
                            }
                        });

        assertThat(steps).isGreaterThan(2);
    }

    @ParameterizedTest
    @EnumSource
    void failedProfileLeavesNothing(Faults.Kind kind) throws Exception {
        int steps =
                failEachStep(
                        kind,
                        target -> {
                            try (var profiler =
                                    NativeProfiler.load(
                                            target,
                                            NanoClock.SYSTEM,
                                            () -> false,
                                            new StackClassifier(Frames.builtIn()))) {
                                profiler.wall(Duration.ofMillis(50));
                            }
                        });

        assertThat(steps).isGreaterThan(2);
    }

    private static final String SETTINGS =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <configuration version="2.0" label="test" provider="test">
              <event name="jdk.ThreadSleep"><setting name="enabled">true</setting></event>
            </configuration>
            """;

    /// Fails the start at each of its requests in turn.
    ///
    /// @return number of requests of a start without a fault
    private int failEachStep(Faults.Kind kind, Starting starting) throws Exception {
        try (Target real = Victims.launch(Victims.jdks().getFirst(), dir, "sleep")) {
            for (int step = 1; ; step++) {
                var faults = new Faults(kind, step);
                try (Target target = faults.target(real.pid())) {
                    starting.with(target);
                } catch (UserError | Faults.Broken planted) {
                    // the failure itself is not the subject of this test
                }
                assertNothingRuns(real, step);
                if (faults.nothingFailed()) {
                    return step - 1;
                }
            }
        }
    }

    private static void assertNothingRuns(Target real, int step) throws Exception {
        assertThat(real.jcmd().run("JFR.check")).as("step %d", step).doesNotContain("jdyno-");
        assertThat(real.jcmd().run("VM.log list")).as("step %d", step).doesNotContain("jdyno-");
        assertThat(NativeProfiler.running(real)).as("step %d", step).isEmpty();
        // The socket file of the last profiler request is an exception. It is removed with `real`.
        String asking = Path.of(real.shared().seenByTarget("x")).getParent() + "";
        assertThat(folders("run")).as("step %d", step).allMatch(asking::equals);
    }

    private static List<String> folders(String purpose) throws IOException {
        try (var all = Files.list(Path.of("/tmp"))) {
            return all.map(Path::toString)
                    .filter(f -> f.startsWith("/tmp/jdyno-" + ToolMark.own() + "-" + purpose))
                    .toList();
        }
    }
}
