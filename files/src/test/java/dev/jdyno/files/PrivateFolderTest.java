package dev.jdyno.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    private static final int NOBODY = 65534;

    @TempDir Path temp;
    private Path dir;

    @BeforeEach
    void openToOthers() throws Exception {
        // JUnit's own folder is closed to other users, which would hide the permissions of the
        // files in it
        dir = Files.createDirectory(temp.resolve("dir"));
        mode(dir, "rwxr-xr-x");
    }

    @Test
    void createsMissingFoldersOnlyForOwner() throws Exception {
        Path folder = dir.resolve("a/b");

        assertThat(PrivateFolder.open(folder)).isEqualTo(folder);

        assertThat(mode(folder)).isEqualTo("rwx------");
        assertThat(mode(dir.resolve("a"))).isEqualTo("rwx------");
        assertThat(mode(dir)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void emptyFolderOfThisUserIsClosedToOthers() throws Exception {
        Path folder = Files.createDirectory(dir.resolve("empty"));
        mode(folder, "rwxrwxrwx");

        PrivateFolder.open(folder);

        assertThat(mode(folder)).isEqualTo("rwx------");
    }

    @Test
    void folderWithFilesOfThisUserKeepsItsPermissions() throws Exception {
        Files.writeString(dir.resolve("older"), "");

        PrivateFolder.open(dir);

        assertThat(mode(dir)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aFolderWithFilesThatOthersCanWriteToIsRefused() throws Exception {
        Files.writeString(dir.resolve("older"), "");
        mode(dir, "rwxrwxrwx");

        refused(dir);
    }

    @Test
    void linkInPlaceOfTheFolderIsRefused() throws Exception {
        Path folder = Files.createDirectory(dir.resolve("folder"));
        refused(Files.createSymbolicLink(dir.resolve("link"), folder));
        refused(Files.createSymbolicLink(dir.resolve("dangling"), dir.resolve("nowhere")));
        assertThat(dir.resolve("nowhere")).doesNotExist();
    }

    @Test
    void linkOfThisUserWithinThePathIsFollowed() throws Exception {
        Path folder = Files.createDirectory(dir.resolve("folder"));
        Path link = Files.createSymbolicLink(dir.resolve("link"), folder);

        PrivateFolder.open(link.resolve("out"));

        assertThat(mode(folder.resolve("out"))).isEqualTo("rwx------");
    }

    @Test
    void fileInPlaceOfTheFolderIsRefused() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "");

        assertThatThrownBy(() -> PrivateFolder.open(file))
                .isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> PrivateFolder.open(file.resolve("below")))
                .isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void refusesFolderBelowWritableFolder() throws Exception {
        Path folder = Files.createDirectory(dir.resolve("folder"));
        mode(dir, "rwxrwxrwx");

        refused(folder);
        refused(dir.resolve("missing"));
        assertThat(dir.resolve("missing")).doesNotExist();
    }

    @Test
    void acceptsFolderProtectedByStickyBit() throws Exception {
        Files.setAttribute(dir, "unix:mode", 01777);

        PrivateFolder.open(dir.resolve("out"));

        assertThat(mode(dir.resolve("out"))).isEqualTo("rwx------");
    }

    @Test
    void refusesFolderOfOtherUser() throws Exception {
        assumeRoot();
        Path folder = Files.createDirectory(dir.resolve("folder"));
        Files.setAttribute(folder, "unix:uid", NOBODY);

        refused(folder);
        refused(folder.resolve("below"));
        assertThat(folder.resolve("below")).doesNotExist();
    }

    @Test
    void refusesPathThroughLinkOfOtherUser() throws Exception {
        assumeRoot();
        Path folder = Files.createDirectory(dir.resolve("folder"));
        Files.setAttribute(dir, "unix:mode", 01777);
        Path link = Files.createSymbolicLink(dir.resolve("link"), folder);
        Files.setAttribute(link, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);

        refused(link.resolve("out"));
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private static void refused(Path folder) {
        assertThatThrownBy(() -> PrivateFolder.open(folder))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                            assertThat(e.what()).contains(folder.toString());
                            assertThat(e.fix()).contains("--out");
                        });
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void mode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static void assumeRoot() throws IOException {
        assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    }
}
