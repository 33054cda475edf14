package dev.jdyno.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/// The version that the build wrote into the jar.
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"jdyno " + text()};
    }

    static String text() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        Version.class.getResourceAsStream("version.txt"), "version.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        }
    }
}
