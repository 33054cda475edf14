package dev.jdyno.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.Standstill.By;
import dev.jdyno.observe.host.Freezer;
import dev.jdyno.observe.stacks.Frames;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandstillWatchTest {
    private static final long S = 1_000_000_000L;

    @TempDir Path dir;

    private static void signal(String name, Target target)
            throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(target.pid())).start().waitFor();
    }

    @Test
    void standstillNeedsTwoSamples() {
        try (var watch = new StandstillWatch(new ProcFs(dir), 1, NanoClock.SYSTEM)) {
            watch.seen(Optional.of(By.DEBUGGER), 11 * S);
            watch.seen(Optional.empty(), 12 * S);
            assertThat(watch.all(10 * S)).isEmpty();

            watch.seen(Optional.of(By.SIGNAL), 13 * S);
            assertThat(watch.now(10 * S)).isEmpty();
            watch.seen(Optional.of(By.SIGNAL), 14 * S);
            assertThat(watch.now(10 * S)).contains(new Standstill(By.SIGNAL, 3, Optional.empty()));
            watch.seen(Optional.empty(), 15 * S);

            assertThat(watch.now(10 * S)).isEmpty();
            assertThat(watch.all(10 * S))
                    .containsExactly(new Standstill(By.SIGNAL, 3, Optional.of(5.0)));
        }
    }

    @Test
    void jvmStandsStillFromSigstopToSigcont() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep", "-Xmx64m");
                var watch = StandstillWatch.over(ProcFs.SYSTEM, target.pid(), NanoClock.SYSTEM)) {
            assertThat(watch.now(0)).isEmpty();

            signal("STOP", target);
            while (watch.now(0).isEmpty()) {
                Thread.onSpinWait();
            }
            signal("CONT", target);
            while (watch.now(0).isPresent()) {
                Thread.onSpinWait();
            }

            assertThat(watch.all(0)).hasSize(1);
            assertThat(watch.all(0).getFirst().by()).isEqualTo(By.SIGNAL);
        }
    }

    @Test
    void endsPendingWorkWhenTargetRunsAgain() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep", "-Xmx64m");
                Observer observer =
                        Observer.open(
                                target,
                                NanoClock.SYSTEM,
                                Files.createDirectory(dir.resolve("e")))) {
            signal("STOP", target);
            try {
                while (observer.standstill(0).isEmpty()) {
                    Thread.onSpinWait();
                }
                assertThat(observer.finishRecording(Frames.with(Optional.empty()))).isEmpty();
                assertThat(observer.takeBack())
                        .extracting(Leftovers.Leftover::end)
                        .anyMatch(c -> c.contains(" JFR.stop name=jdyno-"))
                        .anyMatch(c -> c.contains(" VM.log "));
            } finally {
                signal("CONT", target);
            }

            assertThat(observer.takeBack()).isEmpty();
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno-");
            assertThat(target.jcmd().run("VM.log list")).doesNotContain("jdyno-");
        }
    }

    private ProcFs frozen(String mounts, String groups, Path file, String says) throws IOException {
        Path proc = Files.createDirectories(dir.resolve("proc"));
        Files.createDirectories(proc.resolve("4711"));
        Files.writeString(proc.resolve("mounts"), mounts);
        Files.writeString(proc.resolve("4711/cgroup"), groups);
        Files.createDirectories(file.getParent());
        Files.writeString(file, says);
        return new ProcFs(proc);
    }

    @Test
    void frozenGroupOfCgroupV2IsAStandstill() throws IOException {
        Path group = dir.resolve("sys/app.slice/x");
        ProcFs proc =
                frozen(
                        "cgroup2 " + dir.resolve("sys") + " cgroup2 rw 0 0\n",
                        "0::/app.slice/x\n",
                        group.resolve("cgroup.events"),
                        "populated 1\nfrozen 1\n");
        assertThat(Freezer.of(proc, 4711).frozen()).isTrue();

        Files.writeString(group.resolve("cgroup.events"), "populated 1\nfrozen 0\n");
        assertThat(Freezer.of(proc, 4711).frozen()).isFalse();
    }

    @Test
    void frozenGroupOfCgroupV1IsAStandstill() throws IOException {
        Path state = dir.resolve("sys/freezer/docker/ab12/freezer.state");
        ProcFs proc =
                frozen(
                        "cgroup " + dir.resolve("sys/freezer") + " cgroup rw,freezer 0 0\n",
                        "4:freezer:/docker/ab12\n0::/docker/ab12\n",
                        state,
                        "FROZEN\n");
        assertThat(Freezer.of(proc, 4711).frozen()).isTrue();

        Files.writeString(state, "THAWED\n");
        assertThat(Freezer.of(proc, 4711).frozen()).isFalse();
    }

    @Test
    void ignoresGroupOutsideOurMount() throws IOException {
        ProcFs proc =
                frozen(
                        "cgroup2 " + dir.resolve("sys") + " cgroup2 rw 0 0\n",
                        "0::/../elsewhere\n",
                        dir.resolve("elsewhere/cgroup.events"),
                        "frozen 1\n");

        assertThat(Freezer.of(proc, 4711).frozen()).isFalse();
    }
}
