package dev.jdyno.cli.options;

import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// The folder that a run writes into. Only its owner can look into it ({@link PrivateFolder}).
public final class OutputFolder {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);

    private OutputFolder() {}

    /// @param name becomes part of the folder's name; secrets in it do not
    /// @throws UserError when it cannot be made, or another user could write there
    public static Path create(Optional<Path> given, String name) {
        Path folder =
                given.orElseGet(() ->
                        Path.of(
                                "jdyno-out",
                                ZonedDateTime.now(ZoneId.systemDefault()).format(STAMP)
                                        + "-"
                                        + Secrets.text(name).replaceAll("[^A-Za-z0-9._-]+", "-")));
        try {
            return open(folder);
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot create the folder " + folder,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    /// Opens a folder that the user named.
    public static Path open(Path folder) throws IOException {
        String caller = System.getenv("SUDO_UID");
        if (caller != null && caller.matches("\\d{1,10}")) {
            PrivateFolder.trustCaller(Long.parseLong(caller));
        }
        return PrivateFolder.open(folder);
    }
}
