package dev.jdyno.experiment.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabJarTest {
    private static final byte[] SERVICES = {1, 2, 3};

    @TempDir private Path dir;

    private Path file(String name) throws IOException {
        return Files.createFile(dir.resolve(name));
    }

    @Test
    void findsLabJarNextToToolJarOrClasses() throws IOException {
        Path lab = file("jdyno-lab.jar");

        assertThat(LabJar.beside(dir.resolve("jdyno.jar"))).contains(lab);
        assertThat(LabJar.beside(dir.resolve("classes"))).contains(lab);
        assertThat(LabJar.beside(dir.resolve("jdyno-1.0.jar"))).contains(lab);
    }

    @Test
    void theJarOfTheSameVersionComesFirst() throws IOException {
        file("jdyno-lab.jar");
        file("jdyno-lab-0.9.jar");
        Path same = file("jdyno-lab-1.0.jar");

        assertThat(LabJar.beside(dir.resolve("jdyno-1.0.jar"))).contains(same);
    }

    private Path toolWith(String entry) throws IOException {
        Path tool = dir.resolve("jdyno-1.0.jar");
        try (var zip = new ZipOutputStream(Files.newOutputStream(tool))) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(SERVICES);
        }
        return tool;
    }

    @Test
    void theJarInsideTheToolsJarIsCopied() throws IOException {
        Optional<Path> copy = LabJar.of(toolWith(LabJar.ENTRY));

        assertThat(copy).hasValueSatisfying(jar -> assertThat(jar).hasBinaryContent(SERVICES));
        assertThat(Files.getPosixFilePermissions(copy.orElseThrow().resolveSibling("")))
                .containsExactlyInAnyOrderElementsOf(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void theJarNextToTheToolComesBeforeThePackedJar() throws IOException {
        Path beside = file("jdyno-lab.jar");

        assertThat(LabJar.of(toolWith(LabJar.ENTRY))).contains(beside);
    }

    @Test
    void jarWithoutTheEntryAndFolderHaveNoLabJar() throws IOException {
        assertThat(LabJar.of(toolWith("other.jar"))).isEmpty();
        assertThat(LabJar.of(Files.createDirectory(dir.resolve("classes")))).isEmpty();
    }

    @Test
    void invalidJarIsAUserError() throws IOException {
        Path broken = Files.writeString(dir.resolve("jdyno-1.0.jar"), "no archive");

        assertThatExceptionOfType(UserError.class).isThrownBy(() -> LabJar.of(broken));
    }

    @Test
    void openingTheLabWithoutItsJarIsAUserError() {
        Optional<Path> none = LabJar.of(dir.resolve("jdyno.jar"));

        assertThat(none).isEmpty();
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> Lab.open(none, dir))
                .extracting(UserError::kind)
                .isEqualTo(UserError.Kind.USAGE);
    }
}
