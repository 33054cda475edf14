package dev.jdyno.experiment.lab;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/// The lab's services travel inside jdyno's one jar; here they are laid down as a file of their
/// own, for they run as processes of their own.
final class LabJar {
    private LabJar() {}

    /// Writes the embedded jar into `folder`, or gives the one that `given` names (tests, a source
    /// tree).
    static Path in(Path folder, Optional<Path> given) {
        if (given.isPresent()) {
            return given.get();
        }
        try (InputStream in = LabJar.class.getResourceAsStream("/lab/jdyno-lab.jar")) {
            if (in == null) {
                throw UserError.usage(
                        "the lab's services are missing",
                        "this build of jdyno does not carry lab/jdyno-lab.jar, and none is beside its jar",
                        "start the package by its bin/jdyno, or build the jar: ./mvnw package makes it");
            }
            Path jar = folder.resolve("jdyno-lab.jar");
            Files.copy(in, jar, StandardCopyOption.REPLACE_EXISTING);
            return jar;
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write the lab's jar into " + folder,
                            String.valueOf(e.getMessage()),
                            "free some space there or set TMPDIR")
                    .causedBy(e);
        }
    }
}
