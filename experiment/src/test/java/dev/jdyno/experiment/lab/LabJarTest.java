package dev.jdyno.experiment.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabJarTest {
    @TempDir private Path dir;

    private Path file(String name) throws IOException {
        return Files.createFile(dir.resolve(name));
    }

    @Test
    void theJarIsFoundBesideTheToolsJarAndBesideItsClasses() throws IOException {
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

    @Test
    void withoutItNoLabOpens() {
        Optional<Path> none = LabJar.beside(dir.resolve("jdyno.jar"));

        assertThat(none).isEmpty();
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> Lab.open(none, dir))
                .extracting(UserError::kind)
                .isEqualTo(UserError.Kind.USAGE);
    }
}
