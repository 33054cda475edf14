package dev.jdyno.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/// The extension on the oldest supported JUnit.
class Junit5IT {
    @TempDir private Path folder;

    private static String place(Class<?> of) throws URISyntaxException {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }

    @Test
    void extensionWorksWithJunit5() throws Exception {
        String junit5 = Objects.requireNonNull(System.getProperty("junit5.jar"));
        String path =
                Stream.of(Dyno.class, Samples.class, JsonParser.class, NullMarked.class)
                        .map(c -> {
                            try {
                                return place(c);
                            } catch (URISyntaxException e) {
                                throw new IllegalStateException(e);
                            }
                        })
                        .collect(Collectors.joining(File.pathSeparator));
        try (var command = new FakeCommand(folder, "run.json", 0)) {
            Process junit =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-D" + Command.PROPERTY + "=" + folder.resolve("jdyno"),
                                    "-jar",
                                    junit5,
                                    "execute",
                                    "--class-path",
                                    path,
                                    "--details=summary",
                                    "--disable-ansi-colors",
                                    "--select-class",
                                    Samples.OfClass.class.getName())
                            .redirectErrorStream(true)
                            .start();
            String output =
                    new String(junit.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(junit.waitFor()).as(output).isEqualTo(1);
            assertThat(output)
                    .containsPattern("2 tests successful")
                    .containsPattern("1 tests failed")
                    .contains(AssertionFailedError.class.getName());
            assertThat(command.calls()).hasSize(1);
        }
    }
}
