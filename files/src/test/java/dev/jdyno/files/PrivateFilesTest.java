package dev.jdyno.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.measure.text.UserError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateFilesTest {
    private static final int NOBODY = 65534;

    @TempDir Path dir;

    /// All methods that write a file.
    enum Way {
        CREATE {
            @Override
            void write(Path file) throws IOException {
                try (OutputStream out = PrivateFiles.create(file)) {
                    out.write(TEXT.getBytes(StandardCharsets.UTF_8));
                }
            }
        },
        WRITE {
            @Override
            void write(Path file) throws IOException {
                PrivateFiles.write(file, TEXT);
            }
        },
        COPY {
            @Override
            void write(Path file) throws IOException {
                PrivateFiles.copy(
                        new ByteArrayInputStream(TEXT.getBytes(StandardCharsets.UTF_8)), file);
            }
        },
        BY_PATH {
            @Override
            void write(Path file) throws IOException {
                PrivateFiles.write(file, part -> Files.writeString(part, TEXT));
            }
        };

        static final String TEXT = "what is written";

        abstract void write(Path file) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void createsFileOnlyForOwner(Way way) throws Exception {
        Path file = dir.resolve("file");

        way.write(file);

        assertThat(Files.readString(file)).isEqualTo(Way.TEXT);
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(files()).containsExactly(file);
    }

    @ParameterizedTest
    @EnumSource
    void aFileThatOthersCouldReadIsReplaced(Way way) throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "older and longer than what is written");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));

        way.write(file);

        assertThat(Files.readString(file)).isEqualTo(Way.TEXT);
        assertThat(mode(file)).isEqualTo("rw-------");
    }

    @ParameterizedTest
    @EnumSource
    void aLinkIsNeverWrittenThrough(Way way) throws Exception {
        Path victim = Files.writeString(dir.resolve("victim"), "untouched");
        Path file = Files.createSymbolicLink(dir.resolve("file"), victim);

        way.write(file);

        assertThat(Files.readString(victim)).isEqualTo("untouched");
        assertThat(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(Files.readString(file)).isEqualTo(Way.TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void aPipeIsNeverWrittenTo(Way way) throws Exception {
        Path file = pipe("file");

        way.write(file); // on a pipe without a reader, this would wait for ever

        assertThat(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(Files.readString(file)).isEqualTo(Way.TEXT);
    }

    @ParameterizedTest
    @EnumSource
    void aFileOfAnotherUserIsNeverWrittenTo(Way way) throws Exception {
        assumeRoot();
        Path file = Files.writeString(dir.resolve("file"), "of another user");
        Files.setAttribute(file, "unix:uid", NOBODY);
        Path itself = Files.createLink(dir.resolve("itself"), file);

        way.write(file);

        assertThat(Files.readString(itself)).isEqualTo("of another user");
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(0);
    }

    @Test
    void removesFileThatCouldNotBeWritten() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "older");

        assertThatThrownBy(() ->
                        PrivateFiles.write(
                                file,
                                part -> {
                                    Files.writeString(part, "half");
                                    throw new IOException("disk full");
                                }))
                .hasMessage("disk full");

        assertThat(Files.readString(file)).isEqualTo("older");
        assertThat(files()).containsExactly(file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/null", "/dev/stdout", "/dev/fd/1"})
    void refusesToReplaceKernelFiles(String device) throws Exception {
        Path file = Path.of(device);
        Object before = Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);

        PrivateFiles.create(PrivateFiles.named(file, "--csv")).close();
        PrivateFiles.write(file, "");

        assertThat(Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(before);
    }

    @Test
    void refusesNamedFileOfOtherUser() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "");
        Path link = Files.createSymbolicLink(dir.resolve("link"), file);

        assertThat(PrivateFiles.named(file, "--csv")).isEqualTo(file);
        assertThat(PrivateFiles.named(dir.resolve("missing"), "--csv"))
                .isEqualTo(dir.resolve("missing"));
        refused(link);
        refused(pipe("pipe"));
        refused(dir);
        assumeRoot();
        Files.setAttribute(file, "unix:uid", NOBODY);
        refused(file);
    }

    private static void refused(Path file) {
        assertThatThrownBy(() -> PrivateFiles.named(file, "--csv"))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                            assertThat(e.what()).contains(file.toString());
                            assertThat(e.fix()).contains("--csv");
                        });
    }

    private Path pipe(String name) throws Exception {
        Path pipe = dir.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        return pipe;
    }

    private List<Path> files() throws IOException {
        try (var files = Files.list(dir)) {
            return files.toList();
        }
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void assumeRoot() throws IOException {
        assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
    }

    /// If the rename came before the sync, a power cut could leave an empty file under the final
    /// name.
    @Test
    void syncsContentBeforeRenameAndNameBeforeReturn() throws IOException {
        Path file = dir.resolve("result.json");
        List<String> order = new ArrayList<>();
        var disk =
                new PrivateFiles.Disk() {
                    @Override
                    public void force(Path it) throws IOException {
                        order.add(
                                Files.isDirectory(it)
                                        ? "names"
                                        : "content of " + Files.size(it) + " bytes");
                        PrivateFiles.Disk.REAL.force(it);
                    }

                    @Override
                    public void rename(Path part, Path to) throws IOException {
                        order.add("rename");
                        PrivateFiles.Disk.REAL.rename(part, to);
                    }
                };

        PrivateFiles.write(file, part -> Files.writeString(part, "12345"), disk);

        assertThat(order).containsExactly("content of 5 bytes", "rename", "names");
        assertThat(file).hasContent("12345");
    }

    @Test
    void createsOnlyFilesThatDoNotExist() throws IOException {
        Path file = dir.resolve("key");
        PrivateFiles.writeNew(file, "first");

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> PrivateFiles.writeNew(file, "second"));
        Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("nothing"));
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> PrivateFiles.writeNew(link, "through it"));

        assertThat(file).hasContent("first");
        assertThat(dir.resolve("nothing")).doesNotExist();
        try (var left = Files.list(dir)) {
            assertThat(left).containsExactlyInAnyOrder(file, link);
        }
    }

    @Test
    void refusesTooLongOrForeignWritableFile() throws IOException {
        Path file = dir.resolve("known");
        PrivateFiles.write(file, "12345");
        Path link = Files.createSymbolicLink(dir.resolve("link"), file);

        assertThat(PrivateFiles.read(link, 5)).hasSize(5);
        assertThatExceptionOfType(NotTrusted.class).isThrownBy(() -> PrivateFiles.read(file, 4));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw----rw-"));
        assertThatExceptionOfType(NotTrusted.class).isThrownBy(() -> PrivateFiles.read(link, 5));
    }

    @Test
    void waitForALockEndsAfterTheGivenTime() throws IOException {
        Path file = Files.createFile(dir.resolve("lock"));
        try (FileLock _ = FileLock.await(file, Duration.ZERO)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> FileLock.await(file, Duration.ZERO));
        }
        FileLock.await(file, Duration.ZERO).close();
    }

    /// CIFS, 9p and some FUSE file systems answer EINVAL to a sync of a folder.
    @Test
    void onlyFailedSyncOfFileIsAnError() throws IOException {
        Path file = dir.resolve("file");
        var refusing =
                new PrivateFiles.Disk() {
                    private boolean filesToo;

                    @Override
                    public void force(Path it) throws IOException {
                        if (filesToo || Files.isDirectory(it)) {
                            throw new IOException("Invalid argument");
                        }
                    }

                    @Override
                    public void rename(Path part, Path to) throws IOException {
                        PrivateFiles.Disk.REAL.rename(part, to);
                    }
                };

        PrivateFiles.write(file, part -> Files.writeString(part, "one"), refusing);
        assertThat(file).hasContent("one");

        refusing.filesToo = true;
        assertThatThrownBy(() ->
                        PrivateFiles.write(file, part -> Files.writeString(part, "two"), refusing))
                .isInstanceOf(IOException.class);
        assertThat(file).hasContent("one");
    }
}
