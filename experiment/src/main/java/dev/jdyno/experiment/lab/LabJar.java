package dev.jdyno.experiment.lab;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The jar of the lab's services, which run as separate processes. It is in the folder of the
/// tool's jar, or in the tool's jar itself.
public final class LabJar {
    private static final String TOOL = "jdyno";
    private static final String LAB = "jdyno-lab";

    /// The entry that `.ci/release` adds to the jar of a release.
    static final String ENTRY = "lab/" + LAB + ".jar";

    private LabJar() {}

    /// The jar beside the tool's own, or the copy of the one inside it.
    ///
    /// @param own the tool's jar, or the folder of its classes in a source tree
    /// @throws UserError if the jar inside cannot be copied to the temporary folder
    public static Optional<Path> of(Path own) {
        return beside(own).or(() -> inside(own));
    }

    /// The jar beside the tool's own: `jdyno-lab.jar`, or `jdyno-lab-1.0.jar` beside
    /// `jdyno-1.0.jar`; empty if none is readable.
    static Optional<Path> beside(Path own) {
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

    /// A copy of the jar inside the tool's own, in a new folder that only this user can read. Copy
    /// and folder are deleted when the JVM ends. Empty if there is no jar inside.
    private static Optional<Path> inside(Path own) {
        if (!Files.isRegularFile(own)) {
            return Optional.empty();
        }
        try (ZipFile tool = new ZipFile(own.toFile())) {
            ZipEntry entry = tool.getEntry(ENTRY);
            if (entry == null) {
                return Optional.empty();
            }
            Path folder = Files.createTempDirectory(LAB + "-jar-");
            Path copy = folder.resolve(LAB + ".jar");
            // the JVM deletes in the reverse order: the file before its folder
            folder.toFile().deleteOnExit();
            copy.toFile().deleteOnExit();
            try (InputStream in = tool.getInputStream(entry)) {
                Files.copy(in, copy);
            }
            return Optional.of(copy);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot copy the lab's services out of " + own,
                            String.valueOf(e.getMessage()),
                            "free some space in the temporary folder, or download the jar again")
                    .causedBy(e);
        }
    }

    /// @throws UserError if there is none
    static Path required(Optional<Path> jar) {
        return jar.orElseThrow(() ->
                UserError.usage(
                        "the lab's services are missing",
                        "there is no jdyno-lab.jar in the folder of jdyno's own jar, or in it",
                        "put it there (it comes with the same release), or build both: ./mvnw package"));
    }
}
