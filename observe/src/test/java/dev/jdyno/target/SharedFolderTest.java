package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.files.Folder;
import dev.jdyno.files.Handle;
import dev.jdyno.files.NotTrusted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Process 42 of a recorded `/proc`, whose root has its own `/tmp`.
@Timeout(300)
class SharedFolderTest {
    private static final long STRANGER = 12345;
    private static final long ANOTHER = 12346;

    @TempDir Path dir;
    private Path tmp = Path.of("");

    @BeforeEach
    void aProcess() throws IOException {
        tmp = Files.createDirectories(dir.resolve("42/root/tmp"));
        mode("rwxr-xr-x");
        runsAs(Folder.ownUid());
        Files.writeString(dir.resolve("42/stat"), "42 (java) S" + " 1".repeat(18) + " 99 0\n");
    }

    private void mode(String permissions) throws IOException {
        Files.setPosixFilePermissions(tmp, PosixFilePermissions.fromString(permissions));
    }

    private void runsAs(long uid) throws IOException {
        Files.writeString(
                dir.resolve("42/status"),
                "Uid:\t%d\t%d\t%d\t%d\nGid:\t%d\t%d\t%d\t%d\n"
                        .formatted(uid, uid, uid, uid, uid, uid, uid, uid));
    }

    private SharedFolder make() throws IOException {
        return SharedFolder.make(new ProcFs(dir), 42, SharedFolder.Purpose.RUN);
    }

    private Path here(SharedFolder folder, String file) {
        return dir.resolve("42/root" + folder.seenByTarget(file));
    }

    @Test
    void folderBelongsOnlyToUserOfTarget() throws IOException {
        assumeTrue(Folder.ownUid() == 0, "only root gives folders away");
        runsAs(STRANGER);

        try (SharedFolder folder = make()) {
            folder.write("settings", "x".getBytes(StandardCharsets.UTF_8));

            Path made = here(folder, "").normalize();
            assertThat(Files.getAttribute(made, "unix:uid")).isEqualTo((int) STRANGER);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
            assertThat(Files.getAttribute(here(folder, "settings"), "unix:uid"))
                    .isEqualTo((int) STRANGER);
        }
        assertThat(tmp).isEmptyDirectory();
    }

    @Test
    void foldersHaveUniqueNamesWithTheirOwner() throws IOException {
        try (SharedFolder one = make();
                SharedFolder other = make()) {
            assertThat(one.seenByTarget("")).isNotEqualTo(other.seenByTarget(""));
            assertThat(one.label())
                    .isEqualTo(
                            new SharedFolder.Label(
                                    ToolMark.own(),
                                    SharedFolder.Purpose.RUN,
                                    ToolMark.parse("42t99")));
        }
    }

    @Test
    void ignoresFilesThatUserOfTargetAdds() throws Exception {
        Path precious = Files.writeString(dir.resolve("precious"), "ours");
        try (SharedFolder folder = make()) {
            Files.createSymbolicLink(here(folder, "link"), precious);
            Files.createLink(here(folder, "hard"), precious);
            assertThat(
                            new ProcessBuilder("mkfifo", here(folder, "fifo").toString())
                                    .start()
                                    .waitFor())
                    .isZero();

            assertThatThrownBy(() -> folder.write("link", new byte[1]))
                    .isInstanceOf(NotTrusted.class);
            for (String name : new String[] {"link", "hard", "fifo"}) {
                assertThatThrownBy(() -> folder.read(name, 100))
                        .as(name)
                        .isInstanceOf(NotTrusted.class);
            }
            assertThatThrownBy(() -> folder.read("none", 100))
                    .isInstanceOf(NoSuchFileException.class);
        }
        assertThat(precious).hasContent("ours");
        assertThat(tmp).isEmptyDirectory();
    }

    @Test
    void aFileOfAThirdUserIsNotRead() throws IOException {
        assumeTrue(Folder.ownUid() == 0, "only root gives files away");
        runsAs(STRANGER);
        try (SharedFolder folder = make()) {
            Path file = Files.writeString(here(folder, "file"), "x");
            Files.setAttribute(file, "unix:uid", (int) ANOTHER);
            assertThatThrownBy(() -> folder.read("file", 100)).isInstanceOf(NotTrusted.class);

            Files.setAttribute(file, "unix:uid", (int) STRANGER);
            try (Handle read = folder.read("file", 100)) {
                assertThat(read.bytes()).hasSize(1);
            }
        }
    }

    @Test
    void refusesTmpOfOtherUser() throws IOException {
        mode("rwxrwxrwx");
        assertThatThrownBy(this::make).isInstanceOf(NotTrusted.class);

        Files.setAttribute(tmp, "unix:mode", 01777);
        make().close();

        assumeTrue(Folder.ownUid() == 0, "only root gives folders away");
        Files.setAttribute(tmp, "unix:uid", (int) ANOTHER);
        assertThatThrownBy(this::make).isInstanceOf(NotTrusted.class);
        runsAs(ANOTHER);
        make().close();
    }

    /// The `/tmp` of a container, owned by root of its user namespace, seen from the host.
    @Test
    void aTmpOfTheRootOfItsUserNamespaceIsTrusted() throws IOException {
        assumeTrue(Folder.ownUid() == 0, "only root gives folders away");
        runsAs(STRANGER);
        Files.setAttribute(tmp, "unix:uid", (int) ANOTHER);
        assertThatThrownBy(this::make).isInstanceOf(NotTrusted.class);

        Files.writeString(dir.resolve("42/uid_map"), "0 " + ANOTHER + " 1000\n");

        make().close();
    }

    @Test
    void aTmpThatIsALinkIsRefused() throws IOException {
        Files.delete(tmp);
        Path elsewhere = Files.createDirectory(dir.resolve("elsewhere"));
        Files.createSymbolicLink(tmp, elsewhere);

        assertThatThrownBy(this::make).isInstanceOf(NotTrusted.class);
        assertThat(elsewhere).isEmptyDirectory();
    }
}
