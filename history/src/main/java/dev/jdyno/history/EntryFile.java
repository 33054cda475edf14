package dev.jdyno.history;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.jdyno.files.NotTrusted;
import dev.jdyno.files.PrivateFiles;
import dev.jdyno.files.RegularFile;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A result's entry as a file beside its other files. Every verb writes it before storing the
/// entry, so a failure of the store loses nothing.
public final class EntryFile {
    /// File name in the folder of a result.
    public static final String NAME = "history.json";

    /// File with the whole result of a run; an earlier version wrote only this one.
    public static final String RESULT = "result.json";

    private static final String SCHEMA = "jdyno/entry/2";

    /// The former schema, which has the commit and its branch in an object.
    private static final String FORMER = "jdyno/entry/1";

    private static final String FOLDER = "folder";

    /// Maximum file size; an entry with some hundred methods has some ten KiB.
    private static final int MAX_BYTES = 16 << 20;

    private static final Pattern ID = Pattern.compile("\\d{8}-\\d{6}-[0-9a-f]{4,64}");

    private static final JsonMapper JSON =
            JsonMapper.builder().addMixIn(Bottleneck.class, ByKey.class).build();

    private EntryFile() {}

    private interface ByKey {
        @JsonValue
        String key();
    }

    /// The parts of an entry other than its row.
    private record EntryParts(
            List<Entry.Figure> figures, List<Entry.Part> parts, List<History.Reported> reported) {}

    /// @param reported changes that are stored with the entry
    public record Content(Entry entry, List<History.Reported> reported) {}

    /// The file of a result.
    ///
    /// @param given the file itself, or the folder of the result
    public static Path result(Path given) {
        return Files.isDirectory(given) ? given.resolve(RESULT) : given;
    }

    /// Writes an entry without its paths: reading takes them from the folder of the file.
    public static void write(Path folder, Entry e, List<History.Reported> reported)
            throws IOException {
        ObjectNode document = JSON.createObjectNode().put("schema", SCHEMA);
        document.setAll(JSON.<ObjectNode>valueToTree(e.row()));
        document.remove(FOLDER);
        document.setAll(
                JSON.<ObjectNode>valueToTree(new EntryParts(e.figures(), e.parts(), reported)));
        PrivateFiles.write(folder.resolve(NAME), JSON.writeValueAsString(document) + "\n");
    }

    /// Reads the entry of a folder, with the files that are in the folder now.
    ///
    /// @throws UserError if it is no entry of jdyno, or no regular file
    public static Content read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        try {
            JsonNode found = JSON.readTree(RegularFile.bytes(file, MAX_BYTES));
            if (!(found instanceof ObjectNode document) || !isKnown(document)) {
                throw noEntry(file, "its schema or its id is not of this jdyno");
            }
            document.put(FOLDER, folder.toAbsolutePath().normalize().toString());
            EntryParts beside = JSON.treeToValue(document, EntryParts.class);
            var entry =
                    new Entry(
                            JSON.treeToValue(document, Entry.Row.class),
                            beside.figures(),
                            beside.parts(),
                            Artifacts.of(folder));
            return new Content(entry, List.copyOf(beside.reported()));
        } catch (NotTrusted | JacksonException | DateTimeException | NullPointerException broken) {
            throw noEntry(file, String.valueOf(broken.getMessage())).causedBy(broken);
        }
    }

    private static boolean isKnown(ObjectNode document) {
        String schema = document.path("schema").asString("");
        if (schema.equals(FORMER)) {
            JsonNode code = document.path("code");
            copy(code.path("hash"), document, "commit");
            copy(code.path("branch"), document, "branch");
        }
        return (schema.equals(SCHEMA) || schema.equals(FORMER))
                && ID.matcher(document.path("id").asString("")).matches();
    }

    private static void copy(JsonNode text, ObjectNode to, String key) {
        if (text.isString()) {
            to.set(key, text);
        }
    }

    private static UserError noEntry(Path file, String why) {
        return UserError.usage(
                file + " is no entry of a history",
                why,
                "give the folder that a verb of jdyno wrote");
    }
}
