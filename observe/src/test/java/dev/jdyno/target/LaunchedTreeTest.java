package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Services that leave the process group, the session or the process tree in which they were
/// launched.
@Execution(ExecutionMode.CONCURRENT)
class LaunchedTreeTest {
    private static final long HANG_MINUTES = 3;

    /// In these commands, `service` is a script that writes its pid into a file and waits.
    private static final String LEAVES_ITS_GROUP = "bash -mc 'service & wait'";

    private static final String LEAVES_ITS_SESSION = "setsid service & wait";
    private static final String LAUNCHER_ENDS = "service & exit 0";
    private static final String LAUNCHER_ENDS_GROUP_LEFT = "bash -mc 'service & exit 0'";
    private static final String DAEMON = "setsid sh -c 'setsid service & exit 0'; exit 0";
    private static final String DAEMON_WITH_CHILD =
            "setsid sh -c 'setsid sh -c \"env -i PIDS=$PIDS setsid service & wait\" & exit 0'";
    private static final String EMPTY_ENVIRONMENT = "env -i PIDS=$PIDS service & wait";
    private static final String DEAF = "trap '' TERM; bash -mc 'service & wait'";

    @TempDir Path dir;

    private final List<ProcessHandle> started = new ArrayList<>();
    private Process stranger;

    @BeforeEach
    void aStranger() throws IOException {
        var builder = new ProcessBuilder("setsid", "sleep", "1000");
        LaunchMark.draw().put(builder.environment());
        stranger = builder.start();
        started.add(stranger.toHandle());
    }

    @AfterEach
    void endAll() {
        started.forEach(ProcessHandle::destroyForcibly);
    }

    /// Launches a command as jdyno does.
    static final class Launcher {
        private Launcher() {}

        public static void main(String[] args) throws Exception {
            Launched launched =
                    Launched.start(List.of("sh", "-c", args[0]), Path.of(args[1]), ProcFs.SYSTEM);
            System.out.println("launched " + launched.pid());
            System.out.flush();
            // waits until it is killed
            System.in.read();
        }
    }

    private Path pids() {
        return dir.resolve("pids");
    }

    private String script(String variant) throws IOException {
        Path service = dir.resolve("service");
        Files.writeString(service, "#!/bin/sh\necho $$ >> \"$PIDS\"\nexec sleep 1000\n");
        assertThat(service.toFile().setExecutable(true)).isTrue();
        return "PIDS="
                + pids()
                + "; export PIDS; "
                + variant.replace("service", service.toString());
    }

    private ProcessHandle service() throws Exception {
        Eventually.until(
                "the service writes its pid",
                () -> Files.exists(pids()) && Files.readString(pids()).endsWith("\n"));
        ProcessHandle service =
                ProcessHandle.of(Long.parseLong(Files.readString(pids()).strip())).orElseThrow();
        started.add(service);
        return service;
    }

    private Process launcher(String variant) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Launcher.class.getName(),
                                script(variant),
                                dir.resolve("output.txt").toString())
                        .redirectError(dir.resolve("launcher.txt").toFile())
                        .start();
        started.add(process.toHandle());
        return process;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LEAVES_ITS_GROUP,
                LEAVES_ITS_SESSION,
                LAUNCHER_ENDS,
                LAUNCHER_ENDS_GROUP_LEFT,
                DAEMON,
                DAEMON_WITH_CHILD,
                EMPTY_ENVIRONMENT,
                DEAF
            })
    void leavesNoProcessWhenKilled(String variant) throws Exception {
        Process launcher = launcher(variant);
        try (BufferedReader said = launcher.inputReader()) {
            assertThat(said.readLine()).startsWith("launched ");
            ProcessHandle service = service();

            launcher.destroyForcibly();

            service.onExit().get(HANG_MINUTES, TimeUnit.MINUTES);
            assertThat(stranger.isAlive()).as("a process that is none of ours").isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                LEAVES_ITS_GROUP,
                LEAVES_ITS_SESSION,
                LAUNCHER_ENDS,
                LAUNCHER_ENDS_GROUP_LEFT,
                DAEMON,
                DAEMON_WITH_CHILD,
                EMPTY_ENVIRONMENT,
                DEAF
            })
    void leavesNoProcessAfterEnd(String variant) throws Exception {
        Launched launched =
                Launched.start(
                        List.of("sh", "-c", script(variant)),
                        dir.resolve("output.txt"),
                        ProcFs.SYSTEM);
        ProcessHandle service = service();
        assertThat(launched.processes()).contains(service.pid());

        // Time limit of an orderly end. One of the services never ends by itself.
        launched.end(Duration.ofMillis(300), NanoClock.SYSTEM);

        service.onExit().get(HANG_MINUTES, TimeUnit.MINUTES);
        assertThat(launched.isAnyAlive()).isFalse();
        assertThat(stranger.isAlive()).as("a process that is none of ours").isTrue();
    }

    /// If a pid was reused, the later process has another start time. The same holds for its
    /// session.
    @Test
    void neverSignalsLaterProcessWithSamePid() throws Exception {
        var later =
                new ProcessBuilder("setsid", "sh", "-c", "sleep 1000 & exec sleep 1000").start();
        started.add(later.toHandle());
        Optional<ProcessHandle> child = Optional.empty();
        while (child.isEmpty()) {
            child = later.children().findFirst();
            Thread.onSpinWait();
        }
        started.add(child.get());
        long begun = Long.parseLong(ProcFs.SYSTEM.startTicks(later.pid()).orElseThrow());
        LaunchTree gone =
                new LaunchTree(ProcFs.SYSTEM, later.pid(), begun - 1, true, LaunchMark.draw());
        LaunchTree there =
                new LaunchTree(ProcFs.SYSTEM, later.pid(), begun, true, LaunchMark.draw());

        assertThat(gone.living()).isEmpty();
        assertThat(there.living()).containsExactly(later.pid(), child.get().pid());

        LaunchGuard.start(Optional.empty(), gone).endNow().get(HANG_MINUTES, TimeUnit.MINUTES);
        assertThat(later.isAlive()).isTrue();
        assertThat(child.get().isAlive()).isTrue();

        LaunchGuard.start(Optional.empty(), there).endNow().get(HANG_MINUTES, TimeUnit.MINUTES);
        later.onExit().get(HANG_MINUTES, TimeUnit.MINUTES);
        child.get().onExit().get(HANG_MINUTES, TimeUnit.MINUTES);
    }
}
