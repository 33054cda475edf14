package dev.jdyno.report.json;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.UserError;
import tools.jackson.databind.JsonNode;

/// A JSON tree as a result.
final class ResultReader {
    private ResultReader() {}

    /// @throws UserError when the tree is no result; it names the first key that is wrong
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
