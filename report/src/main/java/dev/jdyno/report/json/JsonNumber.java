package dev.jdyno.report.json;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Numbers as {@link ResultJson} has them: JSON has no infinity, which is written as `"inf"`.
final class JsonNumber {
    private JsonNumber() {}

    static JsonNode of(double value) {
        if (Double.isFinite(value)) {
            return JsonNodeFactory.instance.numberNode(value);
        }
        return JsonNodeFactory.instance.stringNode(
                Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
    }

    /// What {@link #of} wrote; empty when it is no number.
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
