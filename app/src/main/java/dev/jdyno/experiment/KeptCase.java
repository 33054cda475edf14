package dev.jdyno.experiment;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.files.PrivateFolder;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// What was measured of one planted case, kept as a file: a rule that changes can be judged against
/// it without measuring again, and a wrong answer can be looked into.
///
/// @param jdk feature version of the JVM it ran on
public record KeptCase(PlantedCase planted, int jdk, long seed, Recording recording) {
    /// What an older version did not keep a list of, it saw nothing of.
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .withConfigOverride(
                            List.class,
                            lists ->
                                    lists.setNullHandling(
                                            JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                    .build();

    private static final String SUFFIX = ".case.json";

    /// Writes it as `NAME-JDK-SEED.case.json`, and beside it the flight recording, where there is
    /// one, as `NAME-JDK-SEED.jfr`: other tools can judge that.
    ///
    /// @param run folder of the trial
    void keepIn(Path folder, Path run) {
        String name = planted.name() + "-" + jdk + "-" + seed;
        Path file = folder.resolve(name + SUFFIX);
        Path flight = run.resolve("recording.jfr");
        try {
            PrivateFolder.open(folder);
            PrivateFiles.write(file, JSON.writeValueAsString(this));
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

    private static KeptCase read(Path file) {
        try {
            return JSON.readValue(Files.readString(file), KeptCase.class);
        } catch (IOException | JacksonException e) {
            throw UserError.usage(
                            "cannot read " + file,
                            String.valueOf(e.getMessage()),
                            "it was kept by another version: measure the case again")
                    .causedBy(e);
        }
    }
}
