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

/// The measurement of one planted case as a file. A changed rule can be judged on it without a new
/// measurement, and a wrong answer can be examined.
///
/// @param jdk feature version of the JVM that ran the case
public record KeptCase(PlantedCase planted, int jdk, long seed, Recording recording) {
    /// Suffix of the file name.
    public static final String SUFFIX = ".case.json.gz";

    /// Writes the case as `NAME-JDK-SEED.case.json.gz`. If there is a flight recording, it goes
    /// beside it as `NAME-JDK-SEED.jfr`, for other tools to judge.
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

    /// Returns all cases in a folder, by name.
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

    /// @throws UserError if it cannot be read, or another version wrote it
    public static KeptCase read(Path file) {
        return RecordingFile.unpack(file, KeptCase.class);
    }
}
