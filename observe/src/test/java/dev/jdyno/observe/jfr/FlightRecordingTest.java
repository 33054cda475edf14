package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.thread.MethodName;
import dev.jdyno.observe.Observer;
import dev.jdyno.observe.SmallDisk;
import dev.jdyno.observe.host.Headroom;
import dev.jdyno.observe.profiler.Profiler;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.observe.stages.StageTimer;
import dev.jdyno.target.Left;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A recording must not harm the target and must leave no files or recordings behind.
class FlightRecordingTest {
    private static final ToolMark TEST = new ToolMark(1, Optional.of("1"));

    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void keepsEventsAndLeavesNoRecordingInTarget(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "allocate", "-Xmx32m", "-Xmn8m")) {
            long leftover = deadPid();
            target.jcmd().run("JFR.start name=jdyno-" + leftover, Duration.ofSeconds(20));
            target.jcmd()
                    .run("JFR.start name=jdyno-" + leftover + "-stages", Duration.ofSeconds(20));
            Path left = Left.by(leftover, "run", Left.mark(target));
            target.jcmd().run("VM.log output=file=" + left + "/gc.log what=gc=info");
            try (Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
                assertThat(observer.facts().means()).contains("jfr", "gclog");
                long collections = 0;
                while (collections < 5) {
                    collections += observer.take().gc().orElseThrow().young().count();
                    Thread.onSpinWait();
                }
            }

            assertThat(eventTypes(dir.resolve("recording.jfr")))
                    .contains("jdk.ThreadSleep", "jdk.GarbageCollection", "jdk.GCHeapSummary");
            assertThat(Files.readString(dir.resolve("gc.log"))).contains("Pause Young");
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
            assertThat(target.jcmd().run("VM.log list")).doesNotContain("jdyno-");
            assertThat(filesIn(Path.of(target.shared().seenByTarget("")))).isEmpty();
            assertThat(left).doesNotExist();
            assertThat(target.isAlive()).isTrue();
        }
        assertThat(filesIn(Path.of("/tmp")))
                .noneMatch(f -> f.startsWith("jdyno-" + ToolMark.own() + "-run-"));
    }

    private static long deadPid() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        return ended.pid();
    }

    private static Set<String> eventTypes(Path recording) throws IOException {
        Set<String> types = new HashSet<>();
        try (var file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                types.add(file.readEvent().getEventType().getName());
            }
        }
        return types;
    }

    private static List<String> filesIn(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).toList();
        }
    }

    /// A JVM without a free file descriptor for its next chunk aborts.
    @Test
    void aTargetShortOfFileDescriptorsIsNotRecorded() throws Exception {
        try (Target target = launchWithDescriptors(40)) {
            var recording = FlightRecording.start(target, headroom(target), TEST);

            assertThat(recording.isRunning()).isFalse();
            assertThat(recording.missing().orElseThrow()).contains("file descriptors");
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    /// The check needs no caller, because the measuring thread may be busy with dumps for many
    /// seconds.
    @Test
    @Timeout(300)
    void recordingEndsIfTargetRunsShortOfFileDescriptors() throws Exception {
        try (Target target = Victims.launch(jdks().get(0), dir, "sleep")) {
            var recording = FlightRecording.start(target, headroom(target), TEST);
            assertThat(recording.isRunning()).isTrue();

            limitDescriptors(target.pid(), 40);

            awaitEnd(recording);
            assertThat(recording.missing().orElseThrow()).contains("stopped in the middle");
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    @Test
    void aTargetShortOfDiskIsNotRecorded() throws Exception {
        try (Target target = Victims.launch(jdks().get(0), dir, "sleep")) {
            var recording =
                    FlightRecording.start(
                            target,
                            new Headroom(ProcFs.SYSTEM, target.pid(), new Bytes(Long.MAX_VALUE)),
                            TEST);

            assertThat(recording.isRunning()).isFalse();
            assertThat(recording.missing().orElseThrow()).contains("disk is full");
        }
    }

    /// Tomcat's start script sets its own `java.io.tmpdir`. Without space for a chunk there, the
    /// JVM aborts, even if `/tmp` has space.
    @ParameterizedTest
    @MethodSource("jdks")
    void doesNotRecordWithSmallDiskForChunks(Path jdk) throws Exception {
        try (var disk = SmallDisk.mount(dir.resolve("temp"), "1m");
                Target target =
                        Victims.launch(jdk, dir, "sleep", "-Djava.io.tmpdir=" + disk.folder())) {
            var recording = FlightRecording.start(target, headroom(target), TEST);

            assertThat(recording.isRunning()).isFalse();
            assertThat(recording.missing().orElseThrow())
                    .contains(disk.folder().toString(), "disk is full", "repositorypath");
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
            assertThatThrownBy(() -> SideRecording.start(target, "nothing is timed", "-old", ""))
                    .hasMessageContaining("nothing is timed");
            assertThat(target.isAlive()).isTrue();
        }
    }

    @Test
    void checksFreeSpaceOfTargetsOwnDisk() throws Exception {
        Path temp = dir.resolve("temp");
        Path jdk = SmallDisk.ownedByJvmsOf(jdks().getFirst(), dir.resolve("jdk"), temp, "1m");
        try (Target target = Victims.launch(jdk, dir, "sleep", "-Djava.io.tmpdir=" + temp)) {
            var recording = FlightRecording.start(target, headroom(target), TEST);

            assertThat(recording.missing().orElseThrow())
                    .contains(temp + ", has only", "MiB free", "disk is full");
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    @Timeout(300)
    void recordingEndsIfDiskOfChunksRunsFull(Path jdk) throws Exception {
        try (var disk = SmallDisk.mount(dir.resolve("temp"), "1g");
                Target target =
                        Victims.launch(
                                jdk,
                                dir,
                                "sleep",
                                "-XX:FlightRecorderOptions:repository=" + disk.folder())) {
            var recording = FlightRecording.start(target, headroom(target), TEST);
            assertThat(recording.missing()).isEmpty();

            disk.resize("100m");

            awaitEnd(recording);
            // waits until the guard has stopped the recording
            assertThat(recording.finish(dir.resolve("recording.jfr"))).isFalse();
            assertThat(recording.missing().orElseThrow())
                    .contains("stopped in the middle", disk.folder().toString());
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    private static void awaitEnd(FlightRecording recording) {
        while (recording.isRunning()) {
            Thread.onSpinWait();
        }
        // the thread that ends the recording holds this lock until the JVM has answered
        synchronized (recording) {
            assertThat(recording.isRunning()).isFalse();
        }
    }

    /// The JVM starts the recording although no thread waits for its answer any more.
    @ParameterizedTest
    @MethodSource("jdks")
    void aRecordingThatStartsLaterThanWeWaitIsStopped(Path jdk) throws Exception {
        Duration impatient = Duration.ofMillis(1);
        try (Target target = Victims.launch(jdk, dir, "sleep")) {
            var recording = FlightRecording.start(target, headroom(target), TEST, impatient);

            assertThat(recording.missing().orElseThrow()).contains("time limit");
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");

            String settings =
                    StageTimer.settings(
                            List.of(new MethodName("Victim", "work")),
                            List.of(),
                            Duration.ofSeconds(1));
            assertThatThrownBy(
                            () -> SideRecording.start(target, "", "-stages", settings, impatient))
                    .isInstanceOf(UserError.class);
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void recordingOfKilledRunEndsAndLeavesNoFile(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "sleep")) {
            Path settings = Files.writeString(dir.resolve("s.jfc"), SETTINGS);
            // long enough to be seen running on a busy machine
            target.jcmd()
                    .run(
                            FlightRecording.command(
                                    "jdyno-1", settings.toString(), Duration.ofSeconds(10)),
                            FlightRecording.LIMIT);
            assertThat(target.jcmd().run("JFR.check")).contains("jdyno-1");

            while (target.jcmd().run("JFR.check").contains("jdyno-1")) {
                Thread.onSpinWait();
            }

            Path workingFolder = ProcFs.SYSTEM.of(target.pid(), "cwd").toRealPath();
            assertThat(filesIn(workingFolder)).noneMatch(f -> f.endsWith(".jfr"));
        }
    }

    private static final String SETTINGS =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <configuration version="2.0" label="test" provider="test">
              <event name="jdk.ThreadSleep"><setting name="enabled">true</setting></event>
            </configuration>
            """;

    @Test
    void aTargetThatDiesUnderTheRecordingIsReported() throws Exception {
        try (Target target = Victims.launch(jdks().get(0), dir, "sleep")) {
            var recording = FlightRecording.start(target, headroom(target), TEST);

            Victims.kill(target);

            assertThat(recording.finish(dir.resolve("recording.jfr"))).isFalse();
            assertThat(recording.missing().orElseThrow()).contains("the target ended");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void keepsEventsFinishedBeforeTargetDied(Path jdk) throws Exception {
        try (Target target =
                Victims.launch(
                        jdk,
                        dir,
                        "allocate",
                        "-Djava.io.tmpdir=" + Files.createDirectory(dir.resolve("temp")))) {
            var recording = FlightRecording.start(target, headroom(target), TEST);
            for (int i = 0; i < 2; i++) {
                // starts a new chunk
                target.jcmd()
                        .run(
                                "JFR.dump name=jdyno-" + TEST + " filename=" + dir.resolve("x.jfr"),
                                FlightRecording.LIMIT);
            }

            Victims.kill(target);
            // the guard looks each second, and must not take the end for a danger
            // sleeps: the guard looks each second and must not act: it is given the time
            TimeUnit.SECONDS.sleep(3);

            Path kept = dir.resolve("recording.jfr");
            assertThat(recording.finish(kept)).isTrue();
            assertThat(eventTypes(kept))
                    .contains("jdk.OSInformation")
                    .doesNotContain("jdk.JVMInformation");
            assertThat(recording.missing().orElseThrow()).contains("last chunk is lost");
        }
    }

    private static Headroom headroom(Target target) {
        return new Headroom(ProcFs.SYSTEM, target.pid());
    }

    @Test
    void doesNotProfileTargetShortOfFileDescriptors() throws Exception {
        try (Target target = launchWithDescriptors(60);
                Profiler profiler =
                        Profiler.of(target, NanoClock.SYSTEM, () -> false, Frames.builtIn())) {
            assertThat(profiler.missing().orElseThrow()).contains("free file descriptors");
            assertThat(profiler.cpu(Duration.ofMillis(10))).isEmpty();
        }
    }

    /// There are more threads and connections than at the load at which the profiler was loaded.
    @Test
    void descriptorsAreCountedAgainBeforeEachProfile() throws Exception {
        try (Target target = Victims.launch(jdks().get(0), dir, "sleep");
                Profiler profiler =
                        Profiler.of(target, NanoClock.SYSTEM, () -> false, Frames.builtIn())) {
            assertThat(profiler.missing()).isEmpty();

            limitDescriptors(target.pid(), 60);

            assertThatThrownBy(() -> profiler.cpu(Duration.ofMillis(10)))
                    .isInstanceOfSatisfying(
                            UserError.class,
                            e -> assertThat(e.why()).contains("free file descriptors"));
        }
    }

    private Target launchWithDescriptors(int limit) throws Exception {
        Target target = Victims.launch(jdks().get(0), dir, "sleep");
        limitDescriptors(target.pid(), limit);
        return target;
    }

    private static void limitDescriptors(long pid, int limit) throws Exception {
        int code =
                new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--nofile=" + limit)
                        .inheritIO()
                        .start()
                        .waitFor();
        assertThat(code).isZero();
    }
}
