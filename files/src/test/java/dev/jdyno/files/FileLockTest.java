package dev.jdyno.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLockTest {
    @TempDir private Path folder;

    private interface Taking {
        Optional<FileLock> of(Path file) throws IOException;
    }

    private void lockIsFreeOnceItIsClosed(Taking taking) throws IOException {
        Path file = Files.writeString(folder.resolve("history.db"), "content");
        try (FileLock _ = taking.of(file).orElseThrow()) {
            assertThat(taking.of(file)).isEmpty();
        }
        try (FileLock _ = taking.of(file).orElseThrow()) {
            assertThat(file).hasContent("content");
        }
    }

    @Test
    void onlyOneOwnerHoldsTheLock() throws IOException {
        lockIsFreeOnceItIsClosed(FileLock::take);
    }

    @Test
    void onlyOneOwnerHoldsTheLockOnOtherSystems() throws IOException {
        lockIsFreeOnceItIsClosed(FileLock::elsewhere);
    }

    @Test
    void refusesLinkOnOtherSystems() throws IOException {
        Path file = folder.resolve("history.db");
        Path target = folder.resolve("of another user");
        Files.createSymbolicLink(folder.resolve(".history.db.lock"), target);

        assertThatThrownBy(() -> FileLock.elsewhere(file)).isInstanceOf(IOException.class);
        assertThat(target).doesNotExist();
    }
}
