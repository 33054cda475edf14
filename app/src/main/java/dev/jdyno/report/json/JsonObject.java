package dev.jdyno.report.json;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Secrets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Builds one JSON object key by key, in the order of the calls, under the rules of {@link
/// ResultJson}: absent is `null`, infinite is `"inf"`. Secrets in texts are masked.
public final class JsonObject {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ObjectNode node;

    public JsonObject() {
        this(NODES.objectNode());
    }

    /// What {@link Bound} made.
    JsonObject(ObjectNode bound) {
        node = bound;
    }

    public JsonObject put(String key, double value) {
        node.set(key, number(value));
        return this;
    }

    public JsonObject put(String key, long value) {
        node.put(key, value);
        return this;
    }

    public JsonObject put(String key, boolean value) {
        node.put(key, value);
        return this;
    }

    public JsonObject put(String key, String value) {
        node.put(key, Secrets.text(value));
        return this;
    }

    public JsonObject put(String key, JsonObject value) {
        node.set(key, value.node);
        return this;
    }

    public JsonObject put(String key, Interval value) {
        node.set(key, NODES.arrayNode().add(number(value.lo())).add(number(value.hi())));
        return this;
    }

    public JsonObject put(String key, List<String> values) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(v -> array.add(Secrets.text(v)));
        node.set(key, array);
        return this;
    }

    public <T> JsonObject putEach(String key, Collection<T> values, Function<T, JsonObject> form) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(v -> array.add(form.apply(v).node));
        node.set(key, array);
        return this;
    }

    public JsonObject putNumber(String key, Optional<Double> value) {
        return maybe(key, value.map(JsonObject::number));
    }

    public JsonObject putNumbers(String key, List<Double> values) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(v -> array.add(number(v)));
        node.set(key, array);
        return this;
    }

    public JsonObject putInterval(String key, Optional<Interval> value) {
        return maybe(
                key, value.map(i -> NODES.arrayNode().add(number(i.lo())).add(number(i.hi()))));
    }

    public JsonObject putText(String key, Optional<String> value) {
        return maybe(key, value.map(Secrets::text).map(NODES::stringNode));
    }

    public <T> JsonObject put(String key, Optional<T> value, Function<T, JsonObject> form) {
        return maybe(key, value.map(v -> form.apply(v).node));
    }

    public ObjectNode node() {
        return node;
    }

    private JsonObject maybe(String key, Optional<? extends JsonNode> value) {
        if (value.isPresent()) {
            node.set(key, value.get());
        } else {
            node.putNull(key);
        }
        return this;
    }

    /// What {@link #number} wrote; empty when it is no number.
    static Optional<Double> number(JsonNode node) {
        if (node.isNumber()) {
            return Optional.of(node.doubleValue());
        }
        return switch (node.isString() ? node.stringValue() : "") {
            case "inf" -> Optional.of(Double.POSITIVE_INFINITY);
            case "-inf" -> Optional.of(Double.NEGATIVE_INFINITY);
            case "nan" -> Optional.of(Double.NaN);
            default -> Optional.empty();
        };
    }

    static JsonNode number(double value) {
        if (Double.isFinite(value)) {
            return NODES.numberNode(value);
        }
        return NODES.stringNode(Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
    }
}
