package dev.jdyno.report.json;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// Writes records as JSON documents: keys are the components' names in their order, and the rules
/// of {@link ResultJson} hold. Secrets in texts are masked.
public final class JsonDocument {
    private JsonDocument() {}

    /// The document, indented.
    public static String text(Record document) {
        return Bound.MASKING.writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    /// The document in one line.
    public static String line(Record document) {
        return Bound.MASKING.writeValueAsString(document);
    }

    /// A list of records in one line.
    public static String line(List<? extends Record> documents) {
        return Bound.MASKING.writeValueAsString(documents);
    }

    /// The document as a part of a larger one.
    public static JsonNode tree(Record document) {
        return Bound.MASKING.valueToTree(document);
    }
}
