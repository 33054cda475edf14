package dev.jdyno.report.json;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.UserError;
import tools.jackson.databind.JsonNode;

/// Reads a result from a JSON tree.
final class ResultReader {
    private ResultReader() {}

    /// @throws UserError if the tree is not a result; it names the first wrong key
    static RunResult read(JsonNode root, String file) {
        var at = new JsonCursor(file, "", root).object();
        String schema = at.text("schema");
        if (!schema.equals(ResultJson.SCHEMA)) {
            throw UserError.usage(
                    file + " is no result of a run",
                    "its schema is " + schema + ", this jdyno reads " + ResultJson.SCHEMA,
                    "give the result.json that `jdyno run` wrote");
        }
        return Bound.read(at, ResultForm.class).read();
    }
}
