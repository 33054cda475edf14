package dev.jdyno.report.json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/// How records become JSON documents: keys are the components' names in their order, and what is
/// absent is `null`.
public final class JsonDocument {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build();

    private JsonDocument() {}

    /// The document, indented.
    public static String text(Record document) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    /// The document as a part of a larger one.
    public static JsonNode tree(Record document) {
        return MAPPER.valueToTree(document);
    }
}
