package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.files.Folder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JfrRepositoryTest {
    private static final String NAME = "2026_11_25_02_51_13_4711";

    @TempDir Path tmp;

    private void removeAll() {
        List<JfrRepository> found = JfrRepository.in(tmp, 4711, OptionalLong.of(Folder.ownUid()));
        found.forEach(JfrRepository::remove);
    }

    @Test
    void removesOnlyChunksOfKilledJvm() throws IOException {
        Path own = Files.createDirectory(tmp.resolve(NAME));
        Files.writeString(own.resolve("2026_11_25_02_51_13.jfr"), "x");
        Path other = Files.createDirectory(tmp.resolve("2026_11_25_02_51_13_4712"));
        Path named = Files.createDirectory(tmp.resolve("photos_4711"));

        removeAll();

        assertThat(own).doesNotExist();
        assertThat(other).exists();
        assertThat(named).exists();
    }

    @Test
    void removalFollowsNoLink() throws IOException {
        Path precious = Files.createDirectory(tmp.resolve("precious"));
        Path file = Files.writeString(precious.resolve("file"), "x");
        Path own = Files.createDirectory(tmp.resolve(NAME));
        Files.createSymbolicLink(own.resolve("link.jfr"), file);
        Files.createSymbolicLink(own.resolve("folder"), precious);
        Files.createSymbolicLink(tmp.resolve("2027_11_25_02_51_13_4711"), precious);

        removeAll();

        assertThat(own).doesNotExist();
        assertThat(file).exists();
    }

    @Test
    void keepsRepositoryOfOtherUser() throws IOException {
        Path planted = Files.createDirectory(tmp.resolve(NAME));
        Files.writeString(planted.resolve("x.jfr"), "x");
        assumeTrue(Folder.ownUid() == 0, "only root gives files away");
        Files.setAttribute(planted, "unix:uid", 12345);

        removeAll();

        assertThat(planted.resolve("x.jfr")).exists();
    }
}
