package dev.jdyno.trial.recording;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.foreign.Gunzip;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.text.UserError;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// A recording as a file: gzipped JSON. It can be diagnosed again without a new measurement, also
/// by a later version.
public final class RecordingFile {
    /// The name of the recording file in the folder of a run.
    public static final String NAME = "recording.json.gz";

    /// Reads a missing list as empty: an older version did not measure these values.
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .withConfigOverride(
                            List.class,
                            lists ->
                                    lists.setNullHandling(
                                            JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                    .addModule(StoredPlaces.module())
                    .build();

    private RecordingFile() {}

    /// The mapper that writes the values of a recording, with secrets masked.
    public static JsonMapper json() {
        return JSON;
    }

    /// Writes the recording of one run.
    public static void write(Recording recording, Path file) throws IOException {
        pack(recording, file);
    }

    /// @throws UserError if it cannot be read, or another version wrote it
    public static Recording read(Path file) {
        return unpack(file, Recording.class);
    }

    /// Writes a value that holds recordings.
    public static void pack(Object value, Path file) throws IOException {
        PrivateFiles.write(
                file,
                part -> {
                    try (var out = new GZIPOutputStream(Files.newOutputStream(part))) {
                        JSON.writeValue(out, value);
                    }
                });
    }

    /// @throws UserError if it cannot be read, or another version wrote it
    public static <T> T unpack(Path file, Class<T> type) {
        try (InputStream packed = new BufferedInputStream(Files.newInputStream(file))) {
            return JSON.readValue(new Gunzip(packed), type);
        } catch (IOException | JacksonException e) {
            throw UserError.usage(
                            "cannot read " + file,
                            String.valueOf(e.getMessage()),
                            "another version wrote it: measure again")
                    .causedBy(e);
        }
    }
}
