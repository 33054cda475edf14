package dev.jdyno.experiment.lab;

import dev.jdyno.measure.text.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// The jar of the lab's services, which run as separate processes. It is in the folder of the
/// tool's jar.
public final class LabJar {
    private static final String TOOL = "jdyno";
    private static final String LAB = "jdyno-lab";

    private LabJar() {}

    /// The jar beside the tool's own: `jdyno-lab.jar`, or `jdyno-lab-1.0.jar` beside
    /// `jdyno-1.0.jar`; empty if none is readable.
    ///
    /// @param own the tool's jar, or the folder of its classes in a source tree
    public static Optional<Path> beside(Path own) {
        String name = String.valueOf(own.getFileName());
        Stream<String> versioned =
                Stream.of(name)
                        .filter(n -> n.startsWith(TOOL + "-"))
                        .map(n -> LAB + n.substring(TOOL.length()));
        return Stream.concat(versioned, Stream.of(LAB + ".jar"))
                .map(own::resolveSibling)
                .filter(Files::isReadable)
                .findFirst();
    }

    /// @throws UserError if there is none
    static Path required(Optional<Path> jar) {
        return jar.orElseThrow(() ->
                UserError.usage(
                        "the lab's services are missing",
                        "there is no jdyno-lab.jar in the folder of jdyno's own jar",
                        "put it there (it comes with the same release), or build both: ./mvnw package"));
    }
}
