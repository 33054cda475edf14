package dev.jdyno.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrivateLinesTest {
    @TempDir private Path folder;

    private final List<String> seen = new ArrayList<>();

    /// A valid line begins with a letter.
    private boolean take(int number, String line) {
        boolean good = !line.isEmpty() && Character.isLetter(line.charAt(0));
        if (good) {
            seen.add(line);
        }
        return good;
    }

    private Path file() {
        return folder.resolve("lines");
    }

    private PrivateLines.Found append(Path file, String... lines) throws IOException {
        var opened = PrivateLines.open(file, this::take);
        try (PrivateLines open = opened.lines()) {
            for (String line : lines) {
                open.append(line);
            }
        }
        return opened.found();
    }

    @Test
    void readsWrittenLines() throws IOException {
        append(file(), "one", "zwölf");
        PrivateLines.Found found = append(file(), "three");

        assertThat(found).isEqualTo(new PrivateLines.Found(2, Optional.empty()));
        assertThat(seen).containsExactly("one", "zwölf");
        assertThat(file()).hasContent("one\nzwölf\nthree\n");
    }

    /// The rest of a line that a kill, a full disk or a power cut leaves after the last complete
    /// line.
    @ParameterizedTest
    @ValueSource(strings = {"thr", "three", "\0\0\0\0\0\0", "\0\0\0\n", "{\n", "\n"})
    void reportsDroppedIncompleteLastLine(String rest) throws IOException {
        Files.writeString(file(), "one\ntwo\n" + rest);

        assertThat(PrivateLines.read(file(), this::take))
                .isEqualTo(new PrivateLines.Found(2, Optional.of(3)));
        assertThat(append(file(), "four")).isEqualTo(new PrivateLines.Found(2, Optional.of(3)));
        assertThat(file()).hasContent("one\ntwo\nfour\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "", "\0\0"})
    void namesInvalidLine(String bad) throws IOException {
        String all = "one\n" + bad + "\nthree\n";
        Files.writeString(file(), all);

        assertThatThrownBy(() -> append(file(), "four"))
                .isInstanceOfSatisfying(
                        PrivateLines.BadLine.class, e -> assertThat(e.number()).isEqualTo(2));
        assertThatThrownBy(() -> PrivateLines.read(file(), this::take))
                .isInstanceOf(PrivateLines.BadLine.class);
        assertThat(Files.readString(file())).as("untouched").isEqualTo(all);
    }

    @Test
    void onlyOwnerCanRead() throws IOException {
        assumeThat(Owners.known()).isTrue();
        Files.writeString(file(), "one\n");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-rw-"));
        append(file(), "two");
        append(folder.resolve("new"), "one");

        for (String name : List.of("lines", "new")) {
            assertThat(Files.getPosixFilePermissions(folder.resolve(name)))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path other = Files.writeString(folder.resolve("other"), "one\n");
        Files.createSymbolicLink(file(), other);

        assertThatThrownBy(() -> append(file(), "two")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> PrivateLines.read(file(), this::take))
                .isInstanceOf(IOException.class);
        assertThat(other).hasContent("one\n");
    }

    @Test
    void onlyOneWriterAtATime() throws IOException {
        try (PrivateLines _ = PrivateLines.open(file(), this::take).lines()) {
            assertThatThrownBy(() -> append(file(), "two")).isInstanceOf(PrivateLines.Busy.class);
        }
    }

    @Test
    void refusesToReadFileBeingWritten() throws IOException {
        append(file(), "one");
        try (PrivateLines _ = PrivateLines.open(file(), this::take).lines()) {
            seen.clear();
            assertThatThrownBy(() -> PrivateLines.read(file(), this::take))
                    .isInstanceOf(PrivateLines.Busy.class);
        }
        assertThat(seen).isEmpty();
        assertThat(PrivateLines.read(file(), this::take).lines()).isOne();
    }

    @Test
    void restartedFileLosesLinesUnlessOtherWriterHoldsFile() throws IOException {
        append(file(), "one", "two");
        try (PrivateLines lines = PrivateLines.open(file(), this::take).lines()) {
            lines.append("three");
            assertThatThrownBy(() -> PrivateLines.begin(file()))
                    .isInstanceOf(PrivateLines.Busy.class);
        }
        assertThat(file()).hasContent("one\ntwo\nthree\n");

        try (PrivateLines lines = PrivateLines.begin(file())) {
            lines.append("four");
        }
        assertThat(file()).hasContent("four\n");
    }

    @Test
    void refusesForeignFile() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), "one\n");
        Files.createSymbolicLink(file(), other);
        assertThatThrownBy(() -> PrivateLines.begin(file())).isInstanceOf(IOException.class);
        assertThat(other).hasContent("one\n");

        Path pipe = folder.resolve("pipe");
        assumeThat(new ProcessBuilder("mkfifo", "" + pipe).start().waitFor()).isZero();
        assertThatThrownBy(() -> PrivateLines.begin(pipe)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> append(pipe, "one")).isInstanceOf(IOException.class);
    }

    @Test
    void nameOfANewFileIsSyncedBeforeItsFirstLine() throws IOException {
        assumeThat(Owners.known()).isTrue();
        List<Path> forced = new ArrayList<>();
        var disk =
                new PrivateFiles.Disk() {
                    @Override
                    public void force(Path it) throws IOException {
                        forced.add(it);
                        throw new IOException("Invalid argument");
                    }

                    @Override
                    public void rename(Path part, Path to) {
                        throw new IllegalStateException("nothing is renamed");
                    }
                };

        PrivateLines.open(file(), this::take, disk).lines().close();

        assertThat(forced).containsExactly(folder);
        assertThat(file()).exists();
    }

    /// A disk with some free pages takes the first part of a line and refuses the rest.
    @Test
    void aFullDiskTakesALineAsAWholeOrNotAtAll() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        var mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=64k", "none", "" + disk);
        assumeThat(mount.start().waitFor()).as("SKIPPED: only root can mount").isZero();
        try {
            Path file = disk.resolve("lines");
            Path filler = Files.write(disk.resolve("filler"), new byte[32 << 10]);
            String line = "x".repeat(3000);
            int written = 0;
            try (PrivateLines lines = PrivateLines.open(file, this::take).lines()) {
                Optional<IOException> full = Optional.empty();
                while (full.isEmpty() && written < 100) {
                    try {
                        lines.append(line);
                        written++;
                    } catch (IOException failed) {
                        full = Optional.of(failed);
                    }
                }
                assertThat(full).isPresent();
                assertThat(Files.size(file)).isEqualTo(3001L * written);

                Files.delete(filler);
                lines.append("after");
            }
            seen.clear();
            assertThat(PrivateLines.read(file, this::take))
                    .isEqualTo(new PrivateLines.Found(written + 1, Optional.empty()));
            assertThat(seen.getLast()).isEqualTo("after");
        } finally {
            assertThat(new ProcessBuilder("umount", "-l", "" + disk).start().waitFor()).isZero();
        }
    }
}
