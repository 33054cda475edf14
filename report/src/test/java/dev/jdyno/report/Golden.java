package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Output that is reviewed like code. `-Dgolden.update=true` rewrites the files.
public final class Golden {
    private static final Path FOLDER = Path.of("src/test/resources/report");

    private Golden() {}

    public static void assertMatches(String name, String actual) throws IOException {
        Path file = FOLDER.resolve(name);
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, actual);
        }
        assertThat(actual)
                .as("%s (rewrite with -Dgolden.update=true)", file)
                .isEqualTo(Files.readString(file));
    }
}
