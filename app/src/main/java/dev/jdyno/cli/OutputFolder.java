package dev.jdyno.cli;

import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// The folder that a run writes into.
final class OutputFolder {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);

    private OutputFolder() {}

    static Path create(Optional<Path> given, String name) {
        Path folder =
                given.orElseGet(() ->
                        Path.of(
                                "jdyno-out",
                                ZonedDateTime.now(ZoneId.systemDefault()).format(STAMP)
                                        + "-"
                                        + name.replaceAll("[^A-Za-z0-9._-]+", "-")));
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot create the folder " + folder,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }
}
