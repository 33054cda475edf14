package dev.jdyno.experiment.all;

import dev.jdyno.experiment.Comparison;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The result of one experiment.
///
/// @param comparison empty if the experiment could not be run
/// @param failure why it could not be run; empty if it could
/// @param quick whether its runs were shortened
public record Done(
        String id,
        String title,
        Optional<Comparison> comparison,
        Optional<String> failure,
        double seconds,
        boolean quick) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long MAX_BYTES = 10 << 20;

    public enum Outcome {
        HELD,
        NOT_HELD,
        NOT_RUN
    }

    public Outcome outcome() {
        return comparison
                .map(c -> c.holds() ? Outcome.HELD : Outcome.NOT_HELD)
                .orElse(Outcome.NOT_RUN);
    }

    /// Writes the result to a folder, as in `E1.json`.
    void keepIn(Path folder) {
        try {
            PrivateFiles.write(fileIn(folder, id), JSON.writeValueAsString(this));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot keep " + fileIn(folder, id),
                            String.valueOf(e.getMessage()),
                            "free some space there")
                    .causedBy(e);
        }
    }

    /// Reads the result of an earlier run; empty if the experiment was not finished.
    static Optional<Done> in(Path folder, String id) {
        Path file = fileIn(folder, id);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw unreadable(file, "it is larger than any result");
            }
            return Optional.of(JSON.readValue(Files.readString(file), Done.class));
        } catch (IOException | JacksonException e) {
            throw unreadable(file, String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    private static UserError unreadable(Path file, String why) {
        return UserError.usage(
                "cannot read " + file, why, "remove it, and its experiment is run again");
    }

    private static Path fileIn(Path folder, String id) {
        return folder.resolve(id + ".json");
    }
}
