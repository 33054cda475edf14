package dev.jdyno.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A folder in which another user may create links, FIFOs and other files, next to a file of ours.
@Timeout(300)
class FolderTest {
    private static final int STRANGER = 12345;
    private static final Trust OURS = Trust.madeBy(Set.of(Folder.ownUid()), 1 << 20);

    @TempDir Path dir;
    private Path place = Path.of("");
    private Path precious = Path.of("");

    @BeforeEach
    void aFolder() throws IOException {
        place = Files.createDirectory(dir.resolve("shared"));
        precious = Files.writeString(dir.resolve("precious"), "ours");
    }

    private interface Use {
        void of(Folder folder) throws Exception;
    }

    private void with(Use use) throws Exception {
        try (Folder folder = Folder.open(place)) {
            use.of(folder);
        }
    }

    @Test
    void createsFileReadableOnlyByOwner() throws Exception {
        with(folder -> {
            folder.create("new", "text".getBytes(StandardCharsets.UTF_8));
            try (Handle file = folder.file("new", OURS)) {
                assertThat(file.bytes()).asString(StandardCharsets.UTF_8).isEqualTo("text");
                assertThat(file.stat().mode()).isEqualTo(0600);
            }
            assertThat(folder.names()).containsExactly("new");
            assertThat(folder.remove("new")).isTrue();
            assertThat(folder.remove("new")).isFalse();
        });
    }

    @Test
    void neverWritesThroughLinkOrIntoExistingFile() throws Exception {
        Files.createSymbolicLink(place.resolve("link"), precious);
        Files.createSymbolicLink(place.resolve("dangling"), dir.resolve("planted"));
        Files.writeString(place.resolve("there"), "x");

        with(folder -> {
            for (String name : new String[] {"link", "dangling", "there"}) {
                assertThatThrownBy(() -> folder.create(name, new byte[1]))
                        .as(name)
                        .isInstanceOf(FileAlreadyExistsException.class);
            }
        });
        assertThat(precious).hasContent("ours");
        assertThat(dir.resolve("planted")).doesNotExist();
    }

    @Test
    void readsOnlyRegularFilesOfOwner() throws Exception {
        Files.createSymbolicLink(place.resolve("link"), precious);
        Files.createLink(place.resolve("hard"), precious);
        Files.createDirectory(place.resolve("folder"));
        assertThat(new ProcessBuilder("mkfifo", place.resolve("fifo").toString()).start().waitFor())
                .isZero();
        try (var sparse = new RandomAccessFile(place.resolve("giant").toFile(), "rw")) {
            sparse.setLength(1L << 40);
        }

        with(folder -> {
            for (String name : new String[] {"link", "hard", "folder", "fifo", "giant"}) {
                assertThatThrownBy(() -> folder.file(name, OURS).close())
                        .as(name)
                        .isInstanceOf(NotTrusted.class);
            }
            assertThatThrownBy(() -> folder.file("none", OURS).close())
                    .isInstanceOf(NoSuchFileException.class);
        });
    }

    @Test
    void readsFileOfOtherUserOnlyWhereThatUserMayCreateIt() throws Exception {
        Path planted = Files.writeString(place.resolve("planted"), "x");
        assumeTrue(Folder.ownUid() == 0, "only root gives files away");
        Files.setAttribute(planted, "unix:uid", STRANGER);

        with(folder -> {
            assertThatThrownBy(() -> folder.file("planted", OURS).close())
                    .isInstanceOf(NotTrusted.class);
            Trust his = Trust.madeBy(Set.of((long) STRANGER), 1);
            try (Handle file = folder.file("planted", his)) {
                assertThat(file.stat().uid()).isEqualTo(STRANGER);
            }
        });
    }

    @Test
    void readsGrowingFileUpToLimit() throws Exception {
        Path growing = Files.writeString(place.resolve("growing"), "12345678");

        with(folder -> {
            try (Handle file = folder.file("growing", Trust.anyOwner(8))) {
                assertThat(file.bytes()).hasSize(8);
                Files.writeString(growing, "123456789");
                assertThatThrownBy(file::bytes).isInstanceOf(NotTrusted.class);
                assertThatThrownBy(() -> file.copyTo(dir.resolve("copy")))
                        .isInstanceOf(NotTrusted.class);
            }
        });
    }

    @Test
    void readsCheckedFileDespiteReplacedName() throws Exception {
        Path file = Files.writeString(place.resolve("file"), "checked");

        with(folder -> {
            try (Handle handle = folder.file("file", OURS)) {
                Files.delete(file);
                Files.createSymbolicLink(file, precious);
                assertThat(handle.bytes()).asString(StandardCharsets.UTF_8).isEqualTo("checked");
            }
            assertThat(folder.remove("file")).isTrue();
        });
        assertThat(precious).exists();
    }

    @Test
    void handleActsInOpenedFolder() throws Exception {
        Path other = Files.createDirectory(dir.resolve("other"));

        with(folder -> {
            Files.move(place, dir.resolve("moved"));
            Files.createSymbolicLink(place, other);
            folder.create("file", new byte[0]);
        });

        assertThat(other).isEmptyDirectory();
        assertThat(dir.resolve("moved/file")).exists();
    }

    @Test
    void createsPrivateFolderAndRefusesLinks() throws Exception {
        Files.createSymbolicLink(place.resolve("link"), dir);

        with(folder -> {
            try (Folder made = folder.make("made")) {
                assertThat(made.stat().mode()).isEqualTo(0700);
                assertThat(made.stat().uid()).isEqualTo(Folder.ownUid());
            }
            assertThatThrownBy(() -> folder.make("link"))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> folder.folder("link")).isInstanceOf(NotTrusted.class);
            assertThat(folder.removeFolder("made")).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/etc/passwd", "../precious"})
    void fileNameMustBeOnePathElement(String name) throws Exception {
        with(folder -> {
            assertThatThrownBy(() -> folder.create(name, new byte[0]))
                    .isInstanceOf(NotTrusted.class);
            assertThatThrownBy(() -> folder.file(name, OURS)).isInstanceOf(NotTrusted.class);
            assertThatThrownBy(() -> folder.remove(name)).isInstanceOf(NotTrusted.class);
        });
    }

    @Test
    void aClosedHandleIsNotUsedAgain() throws Exception {
        Folder closed = Folder.open(place);
        closed.close();
        closed.close();

        assertThatThrownBy(closed::names).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> closed.create("x", new byte[0])).isInstanceOf(IOException.class);
    }

    /// For kernels without a system call for it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/", ".", "..", "/a/b/file", "a/b/../b/file", "/a/b/../../../a/b/file", "/absolute",
                "a/relative", "a/up/../b/file", "/out", "/circle", "/a/b/file/x", "/none",
                        "a/none/x"
            })
    void resolvesPathsLikeKernel(String path) throws Exception {
        Files.createDirectories(place.resolve("a/b"));
        Files.writeString(place.resolve("a/b/file"), "x");
        Files.createSymbolicLink(place.resolve("absolute"), Path.of("/a/b/file"));
        Files.createSymbolicLink(place.resolve("a/relative"), Path.of("b/file"));
        Files.createSymbolicLink(place.resolve("a/up"), Path.of("../../.."));
        Files.createSymbolicLink(place.resolve("out"), precious);
        Files.createSymbolicLink(place.resolve("circle"), Path.of("/circle"));

        with(folder -> assertThat(walked(folder, path)).isEqualTo(resolved(folder, path)));
    }

    private static Object resolved(Folder folder, String path) {
        try {
            return folder.statInRoot(path).<Object>map(Stat::identity).orElse("nothing");
        } catch (IOException refused) {
            return refused.getClass();
        }
    }

    private static Object walked(Folder folder, String path) {
        try (Descriptor found = new Descriptor(folder.walkInRoot(path))) {
            return found.stat(path).identity();
        } catch (NoSuchFileException none) {
            return "nothing";
        } catch (IOException refused) {
            return refused.getClass();
        }
    }

    @Test
    void permissionsAndSizeOfAFileComeFromTheKernel() throws Exception {
        Path file = Files.writeString(place.resolve("file"), "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));

        with(folder -> {
            Stat its = folder.stat("file").orElseThrow();
            assertThat(its.mode()).isEqualTo(0664);
            assertThat(its.isWritableByOthers()).isTrue();
            assertThat(its.bytes()).isEqualTo(1);
            assertThat(its.links()).isEqualTo(1);
            assertThat(folder.stat("none")).isEmpty();
        });
    }
}
