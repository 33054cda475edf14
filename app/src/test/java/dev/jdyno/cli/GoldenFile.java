package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Output that is reviewed like code. `-Dgolden.update=true` rewrites the files.
public final class GoldenFile {
    private GoldenFile() {}

    public static void assertMatches(Path file, String actual) throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, actual);
        }
        assertThat(actual.lines())
                .as("%s (rewrite with -Dgolden.update=true)", file)
                .containsExactlyElementsOf(Files.readAllLines(file));
    }
}
