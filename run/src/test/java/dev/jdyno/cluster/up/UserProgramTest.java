package dev.jdyno.cluster.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs that start child processes, as plugins of `kubectl` and connections of `ssh` do.
@Timeout(300)
class UserProgramTest {
    @TempDir private Path folder;

    private Path pid() {
        return folder.resolve("pid");
    }

    private boolean hasBegun() {
        try {
            return Files.exists(pid()) && Files.readString(pid()).endsWith("\n");
        } catch (IOException notYet) {
            return false;
        }
    }

    private boolean childLives() throws IOException {
        return ProcessHandle.of(Long.parseLong(Files.readString(pid()).strip()))
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }

    @AfterEach
    void endTheChild() throws IOException {
        if (hasBegun()) {
            ProcessHandle.of(Long.parseLong(Files.readString(pid()).strip()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private UserError fails(String script, BooleanSupplier stop, Duration atMost) {
        return catchThrowableOfType(UserError.class, () -> run(script, stop, atMost));
    }

    private UserProgram.Answer run(String script, BooleanSupplier stop, Duration atMost) {
        return new UserProgram("install it", 1 << 20, stop)
                .run(
                        "peer",
                        List.of("sh", "-c", script.replace("PID", pid().toString())),
                        _ -> {},
                        atMost);
    }

    @Test
    void aStoppedProgramEndsWithItsChildren() {
        UserError failed =
                fails("sleep 1000 & echo $! >PID; wait", this::hasBegun, Duration.ofHours(1));

        assertThat(failed.kind()).isEqualTo(UserError.Kind.TARGET);
        Eventually.until("the end of the child", () -> !childLives());
    }

    /// The child process inherits the pipes of its parent, so the pipes stay open when the parent
    /// ends.
    @Test
    void aCommandThatHasEndedGivesItsResultThoughItsChildKeepsThePipesOpen() {
        UserProgram.Answer answer =
                run(
                        "echo result; echo warning >&2; sleep 1000 & echo $! >PID; exit 3",
                        () -> false,
                        Duration.ofHours(1));

        assertThat(answer)
                .isEqualTo(
                        new UserProgram.Answer(3, "result\n", "warning\n", true, Optional.empty()));
    }
}
