package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetLockTest {
    @TempDir Path dir;
    private Target target;

    @BeforeEach
    void launch() throws Exception {
        target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep", "-Xmx64m");
    }

    @AfterEach
    void end() {
        target.close();
    }

    private static TargetLock held(TargetLock.Outcome outcome) {
        assertThat(outcome).isInstanceOf(TargetLock.Outcome.Held.class);
        return ((TargetLock.Outcome.Held) outcome).lock();
    }

    private static LockHolder other(TargetLock.Outcome outcome) {
        assertThat(outcome).isInstanceOf(TargetLock.Outcome.HeldBy.class);
        return ((TargetLock.Outcome.HeldBy) outcome).other();
    }

    @Test
    void onlyOneProcessHoldsTargetAndOthersAreGivenItsIdentity() {
        TargetLock first = held(TargetLock.take(target));

        LockHolder holder = other(TargetLock.take(target));

        assertThat(holder.pid()).contains(ProcessHandle.current().pid());
        assertThat(holder.user()).contains(System.getProperty("user.name"));
        assertThat(holder.since()).isEqualTo(ProcessHandle.current().info().startInstant());
        first.close();
        first.close();
        held(TargetLock.take(target)).close();
    }

    @Test
    void killedProcessReleasesLock() throws Exception {
        Process holder =
                new ProcessBuilder(
                                "sh",
                                "-c",
                                "exec flock -x /proc/"
                                        + target.pid()
                                        + "/status sh -c"
                                        + " 'echo locked; exec sleep 600'")
                        .start();
        try {
            // flock starts a child process, which inherits the lock
            assertThat(holder.inputReader().readLine()).isEqualTo("locked");
            assertThat(other(TargetLock.take(target)).pid()).contains(holder.pid());
        } finally {
            holder.descendants().forEach(ProcessHandle::destroyForcibly);
            holder.destroyForcibly();
        }
        holder.onExit().join();

        TargetLock.Outcome outcome = TargetLock.take(target);
        while (!(outcome instanceof TargetLock.Outcome.Held)) {
            Thread.onSpinWait();
            outcome = TargetLock.take(target);
        }
        held(outcome).close();
    }

    @Test
    void endedTargetHasNoLock() {
        Victims.kill(target);

        assertThatThrownBy(() -> TargetLock.take(target)).isInstanceOf(UserError.class);
    }

    @Test
    void launchedProcessDoesNotInheritLock() throws Exception {
        TargetLock lock = held(TargetLock.take(target));
        Process child = new ProcessBuilder("sleep", "600").start();
        try {
            lock.close();
            assertThat(Files.isDirectory(Path.of("/proc/" + child.pid()))).isTrue();
            held(TargetLock.take(target)).close();
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void namesHolderByProgramAndVerbWithoutArguments() {
        assertThat(
                        LockHolder.command(
                                "java\0-Djdyno.home=/opt\0-jar\0/opt/jdyno.jar\0run\0-H\0"
                                        + "Authorization: secret\0"))
                .contains("jdyno run");
        assertThat(LockHolder.command("java\0-cp\0x\0dev.jdyno.cli.Main\0-H\0a: b\0"))
                .contains("jdyno");
        assertThat(LockHolder.command("/usr/bin/flock\0-x\0/proc/1/status\0")).contains("flock");
        assertThat(LockHolder.command("/a/\u001b[2Jevil\0")).contains("??2Jevil");
        assertThat(LockHolder.command("")).isEqualTo(Optional.empty());
    }
}
