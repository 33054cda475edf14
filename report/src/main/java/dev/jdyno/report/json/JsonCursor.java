package dev.jdyno.report.json;

import dev.jdyno.measure.text.UserError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A place in a document that is read, which knows its own name (`rounds[3].rtMs.p50`): whoever
/// finds something else than expected can say where.
///
/// @param file what the document is called in an error
/// @param path the keys from the root to here; empty at the root
/// @param node what stands there; null when the key is missing
record JsonCursor(String file, String path, @Nullable JsonNode node) {

    JsonCursor at(String key) {
        var there = node == null ? null : node.get(key);
        return new JsonCursor(file, path.isEmpty() ? key : path + "." + key, there);
    }

    String text(String key) {
        var there = at(key);
        if (!there.present().isString()) {
            throw there.not("a text");
        }
        return there.present().stringValue();
    }

    /// The error for a place that holds something else than it should.
    UserError not(String expected) {
        String place = path.isEmpty() ? "the document" : path;
        return UserError.usage(
                file + " is no result of jdyno",
                node == null
                        ? place + " is missing"
                        : place + " is " + shortForm(node) + ", expected " + expected,
                "give the result.json that `jdyno run` wrote, unchanged");
    }

    JsonCursor object() {
        if (!present().isObject()) {
            throw not("an object");
        }
        return this;
    }

    /// An element of the list that stands here.
    JsonCursor item(int index) {
        return new JsonCursor(
                file, path + "[" + index + "]", node == null ? null : node.get(index));
    }

    private JsonNode present() {
        if (node == null) {
            throw not("a value");
        }
        return node;
    }

    private static String shortForm(JsonNode node) {
        String text = node.toString();
        return text.length() <= 40 ? text : text.substring(0, 37) + "...";
    }
}
