package dev.jdyno.junit;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/// A JSON object whose keys may be missing or null.
record Json(JsonObject object) {
    /// @throws DynoException when the text is not a JSON object
    static Json parse(String text) {
        try {
            return new Json(JsonParser.parseString(text).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException e) {
            throw new DynoException(
                    "the jdyno command printed no JSON object: " + e.getMessage(), e);
        }
    }

    Optional<Json> part(String key) {
        return at(key).map(e -> new Json(e.getAsJsonObject()));
    }

    Optional<String> text(String key) {
        return at(key).map(JsonElement::getAsString);
    }

    Optional<Double> number(String key) {
        return at(key).map(JsonElement::getAsDouble);
    }

    List<String> texts(String key) {
        return at(key).map(JsonElement::getAsJsonArray).stream()
                .flatMap(a -> StreamSupport.stream(a.spliterator(), false))
                .map(JsonElement::getAsString)
                .toList();
    }

    /// An interval of two numbers, `[lo, hi]`.
    Optional<Interval> interval(String key) {
        return at(key).map(JsonElement::getAsJsonArray)
                .map(a -> new Interval(a.get(0).getAsDouble(), a.get(1).getAsDouble()));
    }

    <T> List<T> each(String key, Function<Json, T> form) {
        return at(key).map(JsonElement::getAsJsonArray).stream()
                .flatMap(a -> StreamSupport.stream(a.spliterator(), false))
                .map(e -> form.apply(new Json(e.getAsJsonObject())))
                .toList();
    }

    private Optional<JsonElement> at(String key) {
        return Optional.ofNullable(object.get(key)).filter(e -> !e.isJsonNull());
    }
}
