package dev.jdyno.report.json;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
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
        return at(key).asNumber();
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

    boolean flag(String key) {
        var there = at(key);
        if (!there.present().isBoolean()) {
            throw there.not("true or false");
        }
        return there.present().booleanValue();
    }

    Instant instant(String key) {
        try {
            return Instant.parse(text(key));
        } catch (DateTimeException e) {
            throw at(key).not("an instant such as 2026-01-31T12:00:00Z").causedBy(e);
        }
    }

    Interval interval(String key) {
        List<JsonCursor> ends = items(key);
        if (ends.size() != 2 || !(ends.getFirst().asNumber() <= ends.getLast().asNumber())) {
            throw at(key).not("an interval [lo, hi] with lo <= hi");
        }
        return new Interval(ends.getFirst().asNumber(), ends.getLast().asNumber());
    }

    Optional<Interval> maybeInterval(String key) {
        return at(key).isNull() ? Optional.empty() : Optional.of(interval(key));
    }

    Optional<Double> maybeNumber(String key) {
        return at(key).isNull() ? Optional.empty() : Optional.of(number(key));
    }

    Optional<Long> maybeCount(String key) {
        return at(key).isNull() ? Optional.empty() : Optional.of(count(key));
    }

    Optional<String> maybeText(String key) {
        return at(key).isNull() ? Optional.empty() : Optional.of(text(key));
    }

    <T> Optional<T> maybe(String key, Function<JsonCursor, T> form) {
        var there = at(key);
        return there.isNull() ? Optional.empty() : Optional.of(form.apply(there.object()));
    }

    <T> T one(String key, Function<JsonCursor, T> form) {
        return form.apply(at(key).object());
    }

    <T> List<T> each(String key, Function<JsonCursor, T> form) {
        return items(key).stream().map(i -> form.apply(i.object())).toList();
    }

    List<String> texts(String key) {
        return items(key).stream().map(JsonCursor::asText).toList();
    }

    Map<String, Long> counts(String key) {
        Map<String, Long> found = new LinkedHashMap<>();
        var there = at(key).object();
        there.present().propertyNames().forEach(k -> found.put(k, there.count(k)));
        return found;
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

    private List<JsonCursor> items(String key) {
        var there = at(key);
        if (!there.present().isArray()) {
            throw there.not("a list");
        }
        List<JsonCursor> items = new ArrayList<>();
        for (JsonNode n : there.present()) {
            items.add(new JsonCursor(file, there.path + "[" + items.size() + "]", n));
        }
        return items;
    }

    private double asNumber() {
        JsonNode n = present();
        if (n.isNumber()) {
            return n.doubleValue();
        }
        return switch (n.isString() ? n.stringValue() : "") {
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "nan" -> Double.NaN;
            default -> throw not("a number");
        };
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
