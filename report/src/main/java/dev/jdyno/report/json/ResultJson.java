package dev.jdyno.report.json;

import dev.jdyno.files.PrivateFiles;
import dev.jdyno.foreign.ForeignJson;
import dev.jdyno.foreign.ForeignText;
import dev.jdyno.foreign.Malformed;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `result.json`: a finished run as one document, written and read back without loss.
///
/// The keys are documented and stable (docs/json.md). {@link ResultForm} and {@link Forms} define
/// them separately from the names of the records, because a renamed record must not rename a key
/// that scripts read. Times are in ms, sizes in bytes, instants in ISO 8601 (UTC). Three rules hold
/// everywhere:
///
/// - a value that was not measured is `null`, never 0 and never left out;
/// - JSON has no infinity: it is written as the string `"inf"` (`"-inf"`, `"nan"`), which `float()`
///   of Python and `tonumber` of a small `jq` filter read; a demand with `units: "inf"` is a delay;
/// - unknown keys are skipped on reading, so that a file of a later version still opens.
///
/// Reading gives back an equal {@link RunResult}; only a cause of 0 ms in a breakdown reads back as
/// missing, which means the same.
public final class ResultJson {
    /// The form's name and version, the first key of the document.
    public static final String SCHEMA = "jdyno/result/1";

    /// Maximum number of levels with an indent of their own. Deeper lines keep the last indent, so
    /// that the size grows linearly with the depth of a call tree.
    private static final int INDENTED = 40;

    /// Maximum size of a document. The largest known ones, with the call trees of many windows,
    /// have some MiB.
    public static final int MAX_BYTES = 64 << 20;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private ResultJson() {}

    /// Writes the file atomically: a reader sees the old document or the new one, never a part of
    /// it.
    ///
    /// @throws UserError if the file cannot be written
    public static void write(RunResult result, Path file) {
        try {
            PrivateFiles.write(file, toString(result));
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot write " + file,
                            String.valueOf(e),
                            "give a folder with room that you may write to")
                    .causedBy(e);
        }
    }

    /// Writes the document and a line end; does not close `out`.
    public static void write(RunResult result, Writer out) throws IOException {
        out.write(toString(result));
        out.flush();
    }

    /// The document as text, with the same line ends on every system.
    public static String toString(RunResult result) {
        var spacing =
                Separators.createDefaultInstance()
                        .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                        .withArrayEmptySeparator("")
                        .withObjectEmptySeparator("");
        var printer = new DefaultPrettyPrinter(spacing).withObjectIndenter(new Indenter());
        String text =
                MAPPER.writer().with(printer).writeValueAsString(Bound.tree(ResultForm.of(result)));
        return Printable.json(text) + "\n";
    }

    /// Reads a document that {@link #write} wrote.
    ///
    /// @throws UserError if the file cannot be read, is not JSON, or is not a result; it names the
    ///   line or the key
    public static RunResult read(Path file) {
        byte[] content;
        try {
            content = ForeignText.bytes(file, MAX_BYTES);
        } catch (Malformed e) {
            throw noResult(file, "it is " + e.kind());
        } catch (IOException e) {
            throw UserError.usage(
                            "cannot read " + file,
                            String.valueOf(e),
                            "give the result.json of a run")
                    .causedBy(e);
        }
        return read(file, content);
    }

    public static RunResult read(Path file, byte[] content) {
        JsonNode root;
        try {
            root = ForeignJson.tree(content);
        } catch (Malformed e) {
            String where = e.line().isPresent() ? " (line " + e.line().getAsInt() + ")" : "";
            throw noResult(file, "it is not JSON" + where + ": " + e.detail()).causedBy(e);
        }
        if (root.isMissingNode()) {
            throw noResult(file, "it is empty");
        }
        try {
            return ResultReader.read(root, file.toString());
        } catch (IllegalArgumentException | ArithmeticException e) {
            // The record's constructor refuses impossible values.
            throw noResult(file, String.valueOf(e.getMessage())).causedBy(e);
        }
    }

    private static UserError noResult(Path file, String why) {
        return UserError.usage(
                file + " is no result of jdyno",
                why,
                "give the result.json that `jdyno run` wrote");
    }

    private static final class Indenter extends DefaultIndenter {
        private static final long serialVersionUID = 1;

        private Indenter() {
            super("  ", "\n");
        }

        @Override
        public void writeIndentation(JsonGenerator out, int level) {
            super.writeIndentation(out, Math.min(level, INDENTED));
        }
    }
}
