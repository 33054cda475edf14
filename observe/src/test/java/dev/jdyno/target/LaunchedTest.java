package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How a launched target ends together with jdyno. Here jdyno is a separate JVM.
class LaunchedTest {
    private static final String IN_ORDER = "ended in order";

    @TempDir Path dir;

    private final List<ProcessHandle> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(ProcessHandle::destroyForcibly);
    }

    /// Launches a target and waits until it is ended itself. On a signal, it first has some work to
    /// do.
    static final class Launcher {
        private static final long WORK_MILLIS = 700;

        private Launcher() {}

        public static void main(String[] args) throws Exception {
            Path home = Path.of(System.getProperty("java.home"));
            Target target = Victims.launch(home, Path.of(args[0]), "says-when-it-ends");
            Unfinished work = Unfinished.begin();
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(() -> {
                                try {
                                    // sleeps: duration of the work
                                    TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
                                    System.out.println("alive " + target.isAlive());
                                    System.out.flush();
                                } catch (InterruptedException hurry) {
                                    Thread.currentThread().interrupt();
                                } finally {
                                    work.close();
                                }
                            }));
            System.out.println("launched " + target.pid());
            System.out.flush();
            // sleeps: the process runs until it is ended
            Thread.sleep(600_000);
        }
    }

    private Process launcher() throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Launcher.class.getName(),
                                dir.toString())
                        .redirectError(dir.resolve("launcher.txt").toFile())
                        .start();
        started.add(process.toHandle());
        return process;
    }

    private ProcessHandle launched(BufferedReader said) throws IOException {
        String line = String.valueOf(said.readLine());
        assertThat(line).startsWith("launched ");
        ProcessHandle target =
                ProcessHandle.of(Long.parseLong(line.substring("launched ".length())))
                        .orElseThrow();
        started.add(target);
        return target;
    }

    private String lastWords() throws IOException {
        return Files.readString(Victims.output(dir));
    }

    @Test
    void targetShutsDownAfterWorkOnSignal() throws Exception {
        Process launcher = launcher();
        try (BufferedReader said = launcher.inputReader()) {
            ProcessHandle target = launched(said);

            // `Process.destroy` would close the output of the process
            launcher.toHandle().destroy();

            assertThat(said.readLine()).as("at the end of our work").isEqualTo("alive true");
            assertThat(launcher.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(target.isAlive()).isFalse();
            assertThat(lastWords()).contains(IN_ORDER);
        }
    }

    @Test
    void targetShutsDownWhenJdynoIsKilled() throws Exception {
        Process launcher = launcher();
        try (BufferedReader said = launcher.inputReader()) {
            ProcessHandle target = launched(said);

            launcher.toHandle().destroyForcibly();

            target.onExit().get(5, TimeUnit.MINUTES);
            assertThat(lastWords()).contains(IN_ORDER);
        }
    }

    @Test
    void aTargetThatHadToBeKilledLeavesNoRecording() throws Exception {
        Path home = Path.of(System.getProperty("java.home"));
        Launched launched =
                Launched.start(
                        Victims.command(home, dir, "says-when-it-ends"),
                        Victims.output(dir),
                        ProcFs.SYSTEM);
        try {
            while (!lastWords().contains("ready")) {
                assertThat(launched.isAnyAlive()).isTrue();
                // sleeps: interval between two checks of a starting process
                TimeUnit.MILLISECONDS.sleep(20);
            }
            new Jcmd(launched.pid()).run("JFR.start name=jdyno-test");
            assertThat(JfrRepository.of(ProcFs.SYSTEM, launched.pid())).hasSize(1);
            Path repository =
                    JfrRepository.of(ProcFs.SYSTEM, launched.pid()).getFirst().path().toRealPath();
            // a stopped process cannot react to SIGTERM any more
            assertThat(ProcessSignals.send("STOP", launched.pid())).isTrue();

            launched.end(Duration.ofMillis(200), NanoClock.SYSTEM);

            assertThat(repository).doesNotExist();
            assertThat(lastWords()).doesNotContain(IN_ORDER);
        } finally {
            launched.kill();
        }
    }
}
