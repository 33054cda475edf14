package dev.jdyno.report.json;

import dev.jdyno.measure.text.UserError;
import java.util.Optional;
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

    double number(String key) {
        var there = at(key);
        return JsonNumber.read(there.present()).orElseThrow(() -> there.not("a number"));
    }

    long count(String key) {
        var there = at(key);
        if (!there.present().isIntegralNumber() || !there.present().canConvertToLong()) {
            throw there.not("a whole number below 2^63");
        }
        return there.present().longValue();
    }

    int smallCount(String key) {
        long value = count(key);
        if (value != (int) value) {
            throw at(key).not("a whole number below 2^31");
        }
        return (int) value;
    }

    String text(String key) {
        return at(key).asText();
    }

    Optional<String> maybeText(String key) {
        return at(key).isNull() ? Optional.empty() : Optional.of(text(key));
    }

    boolean has(String key) {
        return node != null && node.has(key);
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

    /// How many elements the list has that stands here.
    int items() {
        if (!present().isArray()) {
            throw not("a list");
        }
        return present().size();
    }

    /// An element of the list that stands here.
    JsonCursor item(int index) {
        return new JsonCursor(
                file, path + "[" + index + "]", node == null ? null : node.get(index));
    }

    private String asText() {
        if (!present().isString()) {
            throw not("a text");
        }
        return present().stringValue();
    }

    private boolean isNull() {
        return present().isNull();
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
