package dev.jdyno.report.json;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Numbers as {@link ResultJson} writes them. JSON has no infinity, so it is written as `"inf"`.
final class JsonNumber {
    private JsonNumber() {}

    static JsonNode of(double value) {
        if (Double.isFinite(value)) {
            return JsonNodeFactory.instance.numberNode(value);
        }
        return JsonNodeFactory.instance.stringNode(
                Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
    }

    /// Reads a number that {@link #of} wrote; empty if the value is not a number.
    static Optional<Double> read(JsonNode node) {
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
}
