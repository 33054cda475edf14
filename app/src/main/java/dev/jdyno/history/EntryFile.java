package dev.jdyno.history;

import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.files.RegularFile;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// What goes into the history, beside the files of a result: written before it is stored, so that a
/// store that fails loses nothing, whatever verb made the result.
public final class EntryFile {
    /// Its name in the folder of a result.
    public static final String NAME = "history.json";

    /// The whole result of a run; an earlier version wrote it alone.
    public static final String RESULT = "result.json";

    private static final String SCHEMA = "jdyno/entry/1";

    /// Some hundred methods have some ten KiB.
    private static final int MOST_BYTES = 16 << 20;

    private static final Pattern ID = Pattern.compile("\\d{8}-\\d{6}-[0-9a-f]{4,64}");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private EntryFile() {}

    /// The document. The paths are left out: they are those of the folder where it lies.
    ///
    /// @param code the commit
    private record Document(
            String schema,
            String id,
            Kind kind,
            String plan,
            Optional<String> label,
            String at,
            double seconds,
            Optional<Commit> code,
            Entry.Environment environment,
            String verdict,
            Optional<String> bottleneck,
            boolean valid,
            String commandLine,
            List<Entry.Figure> figures,
            List<Entry.Part> parts,
            List<History.Reported> reported) {}

    /// @param reported changes that are stored with it
    public record Content(Entry entry, List<History.Reported> reported) {}

    public static void write(Path folder, Entry e, List<History.Reported> reported)
            throws IOException {
        PrivateFiles.write(
                folder.resolve(NAME),
                JSON.writeValueAsString(
                                new Document(
                                        SCHEMA,
                                        e.id(),
                                        e.kind(),
                                        e.plan(),
                                        e.label(),
                                        e.at().toString(),
                                        e.seconds(),
                                        e.code(),
                                        e.environment(),
                                        e.verdict(),
                                        e.bottleneck().map(Bottleneck::key),
                                        e.valid(),
                                        e.commandLine(),
                                        e.figures(),
                                        e.parts(),
                                        reported))
                        + "\n");
    }

    /// What a folder's file says, with the files that are there now.
    ///
    /// @throws UserError when it is none, or a link, a pipe or what else no verb wrote
    public static Content read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        try {
            Document d = JSON.readValue(RegularFile.bytes(file, MOST_BYTES), Document.class);
            if (!SCHEMA.equals(d.schema()) || !ID.matcher(d.id()).matches()) {
                throw noEntry(file, "its schema or its id is not of this jdyno");
            }
            var entry =
                    new Entry(
                            d.id(),
                            Objects.requireNonNull(d.kind()),
                            Objects.requireNonNull(d.plan()),
                            d.label(),
                            Instant.parse(d.at()),
                            d.seconds(),
                            d.code(),
                            Objects.requireNonNull(d.environment()),
                            Objects.requireNonNull(d.verdict()),
                            d.bottleneck().map(key -> bottleneck(file, key)),
                            d.valid(),
                            Optional.of(folder.toAbsolutePath().normalize().toString()),
                            Objects.requireNonNull(d.commandLine()),
                            d.figures(),
                            d.parts(),
                            Artifacts.of(folder));
            return new Content(entry, List.copyOf(d.reported()));
        } catch (NotTrusted | JacksonException | DateTimeException | NullPointerException broken) {
            throw noEntry(file, String.valueOf(broken.getMessage())).causedBy(broken);
        }
    }

    private static Bottleneck bottleneck(Path file, String key) {
        return Bottleneck.of(key)
                .orElseThrow(() ->
                        noEntry(file, "this jdyno knows no bottleneck with the name " + key));
    }

    private static UserError noEntry(Path file, String why) {
        return UserError.usage(
                file + " is no entry of a history",
                why,
                "give the folder that a verb of jdyno wrote");
    }
}
