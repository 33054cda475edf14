package dev.jdyno.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/// The version that the build wrote into the jar.
public final class Version implements IVersionProvider {
    /// Name under which a release publishes its image; `deploy/image.sh` uses the same name.
    private static final String IMAGE = "ghcr.io/jdyno/jdyno";

    @Override
    public String[] getVersion() {
        return new String[] {"jdyno " + text()};
    }

    public static String text() {
        try (InputStream in =
                Objects.requireNonNull(
                        Version.class.getResourceAsStream("/dev/jdyno/cli/version.txt"),
                        "version.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        } catch (IOException e) {
            throw new UncheckedIOException("version.txt cannot be read from the jar", e);
        }
    }

    /// The image of this version.
    public static String image() {
        return IMAGE + ":" + text();
    }
}
