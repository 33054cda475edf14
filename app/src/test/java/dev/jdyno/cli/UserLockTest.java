package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Environment;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserLockTest {
    @TempDir Path dir;

    @BeforeEach
    void aFolderForTemporaryFiles() throws IOException {
        Files.createDirectory(dir.resolve("tmp"));
    }

    private Environment runtime(Path folder) {
        return name -> Optional.ofNullable(Map.of("XDG_RUNTIME_DIR", folder.toString()).get(name));
    }

    /// Takes the lock in a test folder, because another build may use the lock of the machine.
    private UserLock take(Environment environment) {
        return UserLock.take("tune", environment, dir.resolve("tmp"));
    }

    private Environment runtime() {
        return runtime(dir);
    }

    /// Starts a process that holds a lock until its input ends.
    private static Process holder(Path file) throws Exception {
        Process process =
                new ProcessBuilder("flock", file.toString(), "sh", "-c", "echo held; read -r _")
                        .start();
        BufferedReader said = process.inputReader();
        assertThat(said.readLine()).isEqualTo("held");
        return process;
    }

    @Test
    void lockInSharedFolderGivesOnlyANote() throws Exception {
        Process attacker = holder(Path.of("/proc/stat"));
        try (UserLock lock = take(runtime())) {
            assertThat(lock.note()).isPresent();
        } finally {
            attacker.destroy();
        }
    }

    @Test
    void secondLockOfTheSameUserIsRefused() throws Exception {
        take(runtime()).close();
        Process other = holder(dir.resolve("jdyno/tune.lock"));
        try {
            assertThatThrownBy(() -> take(runtime())).isInstanceOf(UserError.class);
        } finally {
            other.destroy();
        }
    }

    @Test
    void folderAndFileAreClosedToOtherUsers() throws Exception {
        try (UserLock _ = take(runtime())) {
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
    void followsNoLinkInPlaceOfLock() throws Exception {
        Path elsewhere = Files.createFile(dir.resolve("elsewhere"));
        Files.createDirectory(
                dir.resolve("jdyno"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(dir.resolve("jdyno/tune.lock"), elsewhere);
        Process other = holder(elsewhere);
        try (UserLock lock = take(runtime())) {
            assertThat(lock).isNotNull();
        } finally {
            other.destroy();
        }
    }

    @Test
    void aFolderOfAnotherUserOrALinkIsNotUsed() throws Exception {
        Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
        Files.createSymbolicLink(dir.resolve("jdyno"), elsewhere);

        take(runtime()).close();

        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void ignoresInvalidRuntimeFolder() {
        take(runtime(Path.of("relative"))).close();
        take(runtime(Path.of("/proc/none"))).close();
        take(Environment.NONE).close();

        assertThat(Path.of("relative")).doesNotExist();
    }

    private static Environment variables(Map<String, String> set) {
        return name -> Optional.ofNullable(set.get(name));
    }

    /// A login shell has `XDG_RUNTIME_DIR`, a job of cron does not.
    @Test
    void refusesSecondLockForAnyVariables() throws Exception {
        Path cache = Files.createDirectory(dir.resolve("cache"));
        Path run = Files.createDirectory(dir.resolve("run"));
        Environment shell =
                variables(
                        Map.of(
                                "XDG_RUNTIME_DIR",
                                run.toString(),
                                "XDG_CACHE_HOME",
                                cache.toString()));
        Environment cron = variables(Map.of("XDG_CACHE_HOME", cache.toString()));
        for (Path held : List.of(run, cache)) {
            take(shell).close();
            Process other = holder(held.resolve("jdyno/tune.lock"));
            try {
                assertThatThrownBy(() -> take(shell)).as("%s", held).isInstanceOf(UserError.class);
            } finally {
                // The shell holds the lock, too. If only the process were killed, the shell would
                // go on and keep the lock.
                other.outputWriter().close();
                other.waitFor();
            }
        }
        try (UserLock _ = take(shell)) {
            assertThatThrownBy(() -> take(cron)).isInstanceOf(UserError.class);
            assertThatThrownBy(() -> take(Environment.NONE)).isInstanceOf(UserError.class);
        }
        take(Environment.NONE).close();
    }

    @Test
    void locksFolderOnceForTwoNames() {
        take(variables(Map.of("XDG_RUNTIME_DIR", dir.toString(), "XDG_CACHE_HOME", dir.toString())))
                .close();
    }
}
