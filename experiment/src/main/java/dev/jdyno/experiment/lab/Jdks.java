package dev.jdyno.experiment.lab;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The JDKs for an experiment: the one that runs jdyno and, if it is installed, JDK 17.
public final class Jdks {
    private static final Pattern VERSION = Pattern.compile("JAVA_VERSION=\"(\\d+)");
    private static final int OTHER = 17;

    /// Folder in which Linux distributions install JDKs.
    private static final Path INSTALLED = Path.of("/usr/lib/jvm");

    public record Jdk(int feature, Path home) {}

    private Jdks() {}

    public static List<Jdk> all() {
        var all = new ArrayList<Jdk>();
        Jdk own = own();
        if (own.feature() != OTHER) {
            installed(OTHER).ifPresent(all::add);
        }
        all.add(own);
        return all;
    }

    /// @throws UserError if no JDK of this version is installed
    public static Jdk of(int feature) {
        Jdk own = own();
        if (own.feature() == feature) {
            return own;
        }
        return installed(feature)
                .orElseThrow(() ->
                        UserError.usage(
                                "there is no JDK " + feature,
                                "none of that version is in " + INSTALLED,
                                "install one, or leave --jdk away"));
    }

    private static Jdk own() {
        return new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home")));
    }

    private static Optional<Jdk> installed(int feature) {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (var homes = Files.list(INSTALLED)) {
            return homes.sorted()
                    .filter(h -> Files.isExecutable(h.resolve("bin").resolve("java")))
                    .filter(h -> feature(h) == feature)
                    .findFirst()
                    .map(h -> new Jdk(feature, h));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + INSTALLED, e);
        }
    }

    /// The feature version of a JDK; 0 for a folder that is not a JDK.
    private static int feature(Path home) {
        Path release = home.resolve("release");
        if (!Files.isReadable(release)) {
            return 0;
        }
        try {
            Matcher m = VERSION.matcher(Files.readString(release));
            return m.find() ? Integer.parseInt(m.group(1)) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + release, e);
        }
    }
}
