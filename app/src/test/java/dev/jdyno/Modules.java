package dev.jdyno;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// The Maven modules, read from the parent's POM, so that a test over all modules includes every
/// one.
final class Modules {
    private static final Pattern MODULE = Pattern.compile("<module>([a-z]+)</module>");

    private Modules() {}

    /// Folder names of the modules, in the order of the build.
    static List<String> all() throws IOException {
        return MODULE.matcher(Files.readString(Path.of("..", "pom.xml")))
                .results()
                .map(m -> m.group(1))
                .toList();
    }
}
