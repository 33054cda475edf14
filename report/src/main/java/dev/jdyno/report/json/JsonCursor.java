package dev.jdyno.report.json;

import dev.jdyno.measure.text.UserError;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A place in a document that is read. It knows its own name (`rounds[3].rtMs.p50`), so that an
/// error can name the place.
///
/// @param file name of the document in an error
/// @param path keys from the root to this place; empty at the root
/// @param node value of this place; null if the key is missing
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

    /// The error that this place has another value than `expected`.
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

    /// An element of the list at this place.
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
