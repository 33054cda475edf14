package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Environment;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserLockTest {
    @TempDir Path dir;

    private Environment runtime(Path folder) {
        return name -> Optional.ofNullable(Map.of("XDG_RUNTIME_DIR", folder.toString()).get(name));
    }

    private Environment runtime() {
        return runtime(dir);
    }

    /// A process that holds a lock, until its input ends.
    private static Process holder(Path file) throws Exception {
        Process process =
                new ProcessBuilder("flock", file.toString(), "sh", "-c", "echo held; read -r _")
                        .start();
        BufferedReader said = process.inputReader();
        assertThat(said.readLine()).isEqualTo("held");
        return process;
    }

    @Test
    void anyUsersLockOnWhatAllCanOpenOnlyGivesANote() throws Exception {
        Process attacker = holder(Path.of("/proc/stat"));
        try (UserLock lock = UserLock.take("tune", runtime())) {
            assertThat(lock.note()).isPresent();
        } finally {
            attacker.destroy();
        }
    }

    @Test
    void theSecondOfOneUserIsRefused() throws Exception {
        UserLock.take("tune", runtime()).close();
        Process other = holder(dir.resolve("jdyno/tune.lock"));
        try {
            assertThatThrownBy(() -> UserLock.take("tune", runtime()))
                    .isInstanceOf(UserError.class);
        } finally {
            other.destroy();
        }
    }

    @Test
    void noOtherUserCanOpenItsFolderOrFile() throws Exception {
        try (UserLock _ = UserLock.take("tune", runtime())) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(dir.resolve("jdyno"))))
                    .isEqualTo("rwx------");
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(dir.resolve("jdyno/tune.lock"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aLinkInItsPlaceIsNotFollowed() throws Exception {
        Path elsewhere = Files.createFile(dir.resolve("elsewhere"));
        Files.createDirectory(
                dir.resolve("jdyno"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(dir.resolve("jdyno/tune.lock"), elsewhere);
        Process other = holder(elsewhere);
        try (UserLock lock = UserLock.take("tune", runtime())) {
            assertThat(lock).isNotNull();
        } finally {
            other.destroy();
        }
    }

    @Test
    void aFolderOfAnotherUserOrALinkIsNotUsed() throws Exception {
        Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
        Files.createSymbolicLink(dir.resolve("jdyno"), elsewhere);

        UserLock.take("tune", runtime()).close();

        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aRuntimeFolderThatIsNoneIsLeftOut() {
        UserLock.take("tune", runtime(Path.of("relative"))).close();
        UserLock.take("tune", runtime(Path.of("/proc/none"))).close();
        UserLock.take("tune", Environment.NONE).close();

        assertThat(Path.of("relative")).doesNotExist();
    }
}
