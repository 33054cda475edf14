package dev.jdyno.cli.options;

import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.text.Secrets;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// The folder that a run writes into. Only its owner can read it ({@link PrivateFolder}).
public final class OutputFolder {
    private static final Path RESULTS = Path.of("jdyno-out");

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT);

    /// Maximum number of runs with one name in the same second; no user starts more.
    private static final int MAX_PER_SECOND = 1000;

    private OutputFolder() {}

    /// Returns the given folder, or creates a new one that no other run uses. The name of a new
    /// folder contains the time in seconds, and a number if another run has this name already.
    ///
    /// @param name part of the folder's name; its secrets are masked
    /// @throws UserError if the folder cannot be created, or if another user could write to it
    public static Path create(Optional<Path> given, String name) {
        Path folder = given.orElse(RESULTS);
        try {
            return given.isPresent()
                    ? open(folder)
                    : createNew(
                            RESULTS,
                            ZonedDateTime.now(ZoneId.systemDefault()).format(STAMP)
                                    + "-"
                                    + Secrets.text(name).replaceAll("[^A-Za-z0-9._-]+", "-"));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot create the folder " + folder,
                            String.valueOf(e.getMessage()),
                            "give --out DIR where files can be written")
                    .causedBy(e);
        }
    }

    /// @param name of the folder; a number is added if the name is taken
    static Path createNew(Path in, String name) throws IOException {
        trustCaller();
        for (int i = 1; i <= MAX_PER_SECOND; i++) {
            try {
                return PrivateFolder.create(in.resolve(i == 1 ? name : name + "-" + i));
            } catch (FileAlreadyExistsException another) {
                // This folder belongs to another run.
            }
        }
        throw new FileAlreadyExistsException(
                in.resolve(name).toString(), null, "and " + MAX_PER_SECOND + " more of its name");
    }

    /// Opens a folder that the user named.
    public static Path open(Path folder) throws IOException {
        trustCaller();
        return PrivateFolder.open(folder);
    }

    private static void trustCaller() {
        String caller = System.getenv("SUDO_UID");
        if (caller != null && caller.matches("\\d{1,10}")) {
            PrivateFolder.trustCaller(Long.parseLong(caller));
        }
    }
}
