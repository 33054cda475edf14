package dev.jdyno.experiment.labelled;

import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.recording.RecordingFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/// What was measured of one planted case, kept as a file: a rule that changes can be judged against
/// it without measuring again, and a wrong answer can be looked into.
///
/// @param jdk feature version of the JVM it ran on
public record KeptCase(PlantedCase planted, int jdk, long seed, Recording recording) {
    /// Ends the name of such a file.
    public static final String SUFFIX = ".case.json.gz";

    /// Writes it as `NAME-JDK-SEED.case.json.gz`, and beside it the flight recording, where there
    /// is one, as `NAME-JDK-SEED.jfr`: other tools can judge that.
    ///
    /// @param run folder of the trial
    void keepIn(Path folder, Path run) {
        String name = planted.name() + "-" + jdk + "-" + seed;
        Path file = folder.resolve(name + SUFFIX);
        Path flight = run.resolve("recording.jfr");
        try {
            PrivateFolder.open(folder);
            RecordingFile.pack(this, file);
            if (Files.exists(flight)) {
                Files.move(
                        flight, folder.resolve(name + ".jfr"), StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot keep " + file,
                            String.valueOf(e.getMessage()),
                            "name a folder that can be written")
                    .causedBy(e);
        }
    }

    /// All cases kept in a folder, by name.
    public static List<KeptCase> allIn(Path folder) {
        try (var files = Files.list(folder)) {
            return files.filter(f -> f.getFileName().toString().endsWith(SUFFIX))
                    .sorted()
                    .map(KeptCase::read)
                    .toList();
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read the folder " + folder,
                            String.valueOf(e.getMessage()),
                            "name a folder that --keep wrote")
                    .causedBy(e);
        }
    }

    /// @throws UserError when it cannot be read, or another version wrote it
    public static KeptCase read(Path file) {
        return RecordingFile.unpack(file, KeptCase.class);
    }
}
