package dev.jdyno.otlp;

import java.math.BigInteger;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Points as a request of OTLP in its JSON encoding: keys in camel case, whole numbers of 64 bits
/// as texts, constants as their numbers.
///
/// See [JSON encoding](https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
final class OtlpJson {
    /// Each value of a count includes all earlier ones.
    private static final int CUMULATIVE = 2;

    private static final BigInteger NANOS_PER_S = BigInteger.valueOf(1_000_000_000);
    private static final String SCOPE = "dev.jdyno";
    private static final String ATTRIBUTES = "attributes";
    private static final String DATA_POINTS = "dataPoints";

    private OtlpJson() {}

    /// @param resource attributes of the sender
    /// @param version of jdyno
    static byte[] of(Map<String, String> resource, String version, List<OtlpPoint> points) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        ObjectNode all = request.putArray("resourceMetrics").addObject();
        attributes(all.putObject("resource"), resource);
        ObjectNode scope = all.putArray("scopeMetrics").addObject();
        scope.putObject("scope").put("name", SCOPE).put("version", version);
        ArrayNode metrics = scope.putArray("metrics");
        byMetric(points).forEach((metric, values) -> values(metrics.addObject(), metric, values));
        return JsonMapper.shared().writeValueAsBytes(request);
    }

    private static Map<OtlpMetric, List<OtlpPoint>> byMetric(List<OtlpPoint> points) {
        return points.stream()
                .collect(
                        Collectors.groupingBy(
                                OtlpPoint::metric,
                                () -> new EnumMap<>(OtlpMetric.class),
                                Collectors.toList()));
    }

    private static void values(ObjectNode node, OtlpMetric metric, List<OtlpPoint> points) {
        node.put("name", metric.key())
                .put("description", metric.description())
                .put("unit", metric.unit());
        ObjectNode data = node.putObject(metric.isCount() ? "sum" : "gauge");
        if (metric.isCount()) {
            data.put("aggregationTemporality", CUMULATIVE).put("isMonotonic", true);
        }
        ArrayNode written = data.putArray(DATA_POINTS);
        for (OtlpPoint point : points) {
            ObjectNode value = written.addObject();
            attributes(value, point.attributes());
            value.put("startTimeUnixNano", nanos(point.start()));
            value.put("timeUnixNano", nanos(point.end()));
            if (metric.isCount()) {
                value.put("asInt", Long.toString(Math.round(point.value())));
            } else {
                value.put("asDouble", point.value());
            }
        }
    }

    private static void attributes(ObjectNode of, Map<String, String> attributes) {
        ArrayNode written = of.putArray(ATTRIBUTES);
        new TreeMap<>(attributes)
                .forEach((key, value) ->
                        written.addObject()
                                .put("key", key)
                                .putObject("value")
                                .put("stringValue", value));
    }

    /// Nanoseconds since 1970, as a text.
    private static String nanos(Instant at) {
        return BigInteger.valueOf(at.getEpochSecond())
                .multiply(NANOS_PER_S)
                .add(BigInteger.valueOf(at.getNano()))
                .toString();
    }
}
