package dev.jdyno.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RegularFileTest {
    @TempDir private Path folder;

    @Test
    void aRegularFileIsReadUpToItsLimit() throws Exception {
        Path file = Files.writeString(folder.resolve("a"), "12345");

        assertThat(RegularFile.bytes(file, 5)).hasSize(5);
        assertThatThrownBy(() -> RegularFile.bytes(file, 4)).isInstanceOf(NotTrusted.class);
        assertThatThrownBy(() -> RegularFile.bytes(folder.resolve("b"), 5))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aFolderOfTheUsersMayBeALinkAndTheFileMayNot() throws Exception {
        Files.writeString(folder.resolve("a"), "12345");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("a"));
        Path away = Files.createSymbolicLink(folder.resolve("away"), folder);

        assertThat(RegularFile.bytes(away.resolve("a"), 5)).hasSize(5);
        assertThatThrownBy(() -> RegularFile.bytes(link, 5)).isInstanceOf(NotTrusted.class);
        assertThatThrownBy(() -> RegularFile.bytes(folder, 5)).isInstanceOf(NotTrusted.class);
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readingAPipeDoesNotWait() throws Exception {
        Path pipe = folder.resolve("pipe");
        assumeThat(new ProcessBuilder("mkfifo", "" + pipe).start().waitFor()).isZero();

        assertThatThrownBy(() -> RegularFile.bytes(pipe, 5)).isInstanceOf(NotTrusted.class);
    }
}
