package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.files.Folder;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.Stat;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process of a recorded `/proc` with its own root. A secret file of the host lies outside of it.
@Timeout(300)
class TargetFilesTest {
    @TempDir Path dir;
    private Path root = Path.of("");
    private TargetFiles files = TargetFiles.below(root, root);

    @BeforeEach
    void aProcessWithARootOfItsOwn() throws IOException {
        Path process = Files.createDirectories(dir.resolve("proc/4711"));
        root = Files.createDirectories(dir.resolve("image"));
        Files.createDirectories(root.resolve("srv/app"));
        Files.createSymbolicLink(process.resolve("root"), root);
        Files.createSymbolicLink(process.resolve("cwd"), root.resolve("srv/app"));
        Files.writeString(dir.resolve("secret"), "ours");
        files = TargetFiles.of(new ProcFs(dir.resolve("proc")), 4711);
    }

    private String text(String path) throws IOException {
        return new String(files.text(path), StandardCharsets.UTF_8);
    }

    @Test
    void resolvesAbsolutePathInRootAndRelativeInWorkingFolder() throws IOException {
        Files.writeString(root.resolve("srv/app/a.xml"), "a");

        assertThat(text("/srv/app/a.xml")).isEqualTo("a");
        assertThat(text("a.xml")).isEqualTo("a");
        assertThat(text("../app/./a.xml")).isEqualTo("a");
        assertThat(files.names(".")).containsExactly("a.xml");
        assertThat(files.names("/nothing/here")).isEmpty();
    }

    @Test
    void linksAndPathsStayInRoot() throws IOException {
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/conf"), "its own");
        Files.createSymbolicLink(root.resolve("srv/app/absolute"), Path.of("/etc/conf"));
        Files.createSymbolicLink(root.resolve("srv/app/relative"), Path.of("../../etc/conf"));
        Files.createSymbolicLink(root.resolve("srv/app/up"), Path.of("../../../secret"));
        Files.createSymbolicLink(root.resolve("srv/app/out"), dir.resolve("secret"));
        Files.createSymbolicLink(root.resolve("srv/app/away"), dir);

        assertThat(text("absolute")).isEqualTo("its own");
        assertThat(text("relative")).isEqualTo("its own");
        for (String path :
                new String[] {"up", "out", "away/secret", "../../../secret", "/../secret"}) {
            assertThatThrownBy(() -> files.text(path))
                    .as(path)
                    .isInstanceOf(NoSuchFileException.class);
            assertThat(files.stat(path)).as(path).isEmpty();
        }
    }

    @Test
    void linksInACircleAndMagicLinksAreRefused() throws IOException {
        Files.createSymbolicLink(root.resolve("here"), Path.of("/there"));
        Files.createSymbolicLink(root.resolve("there"), Path.of("/here"));

        assertThatThrownBy(() -> files.text("/here")).isInstanceOf(IOException.class);
        var ourOwn = TargetFiles.below(Path.of("/"), Path.of("/"));
        assertThatThrownBy(() -> ourOwn.text("/proc/self/root/etc/passwd"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void opensOnlyRegularFiles() throws Exception {
        Path fifo = root.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();

        assertThat(files.stat("/fifo")).map(Stat::kind).contains(Stat.Kind.FIFO);
        assertThatThrownBy(() -> files.text("/fifo")).isInstanceOf(NotTrusted.class);
        assertThatThrownBy(() -> files.text("/srv")).isInstanceOf(NotTrusted.class);
        assertThat(files.isFile("/fifo")).isFalse();
    }

    @Test
    void aFileAboveTheLimitIsNotRead() throws IOException {
        try (var sparse = new RandomAccessFile(root.resolve("giant").toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }

        assertThatThrownBy(() -> files.text("/giant")).isInstanceOf(NotTrusted.class);
        assertThat(files.stat("/giant")).map(Stat::bytes).contains(1L << 40);
    }

    @Test
    void findsNearestExistingFolder() throws IOException {
        try (Folder near = files.nearestFolder("/srv/app/logs/today")) {
            assertThat(near.stat().identity())
                    .isEqualTo(files.stat("/srv/app").orElseThrow().identity());
        }
    }
}
