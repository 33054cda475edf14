package dev.jdyno.load.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Messages of `google.protobuf` with a special JSON form, such as times.
final class WellKnown {
    private static final String PACKAGE = "google.protobuf.";

    /// Text of a duration, such as `1.5s`.
    private static final Pattern DURATION = Pattern.compile("(-?\\d{1,12}(?:\\.\\d{1,9})?)s");

    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);

    private final JsonReading reading;

    WellKnown(JsonReading reading) {
        this.reading = reading;
    }

    /// True if JSON's null is a value of the field.
    static boolean takesNull(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case MESSAGE -> field.getMessageType().getFullName().equals(PACKAGE + "Value");
            case ENUM -> field.getEnumType().getFullName().equals(PACKAGE + "NullValue");
            default -> false;
        };
    }

    /// @return false if the message has no special form
    boolean read(Descriptor type, JsonNode node, DynamicMessage.Builder to, String at, int depth) {
        String name = type.getFullName();
        if (!name.startsWith(PACKAGE)) {
            return false;
        }
        switch (name.substring(PACKAGE.length())) {
            case "Timestamp" -> timestamp(type, node, to, at);
            case "Duration" -> duration(type, node, to, at);
            case "DoubleValue",
                    "FloatValue",
                    "Int64Value",
                    "UInt64Value",
                    "Int32Value",
                    "UInt32Value",
                    "BoolValue",
                    "StringValue",
                    "BytesValue" -> {
                FieldDescriptor value = type.findFieldByNumber(1);
                to.setField(value, JsonScalars.read(value, node, at));
            }
            case "Struct" -> struct(type, node, to, at, depth);
            case "ListValue" -> list(type, node, to, at, depth);
            case "Value" -> value(type, node, to, at, depth);
            case "FieldMask" -> {
                for (String path : JsonScalars.text(node, at).split(",")) {
                    to.addRepeatedField(type.findFieldByNumber(1), snakeCase(path));
                }
            }
            case "Any" ->
                    throw JsonReading.wrong(at, "google.protobuf.Any is not read from JSON yet");
            default -> {
                return false;
            }
        }
        return true;
    }

    private static void seconds(
            Descriptor type, DynamicMessage.Builder to, long seconds, int nanos) {
        to.setField(type.findFieldByNumber(1), seconds);
        to.setField(type.findFieldByNumber(2), nanos);
    }

    private static void timestamp(
            Descriptor type, JsonNode node, DynamicMessage.Builder to, String at) {
        try {
            Instant time = OffsetDateTime.parse(JsonScalars.text(node, at)).toInstant();
            seconds(type, to, time.getEpochSecond(), time.getNano());
        } catch (DateTimeException e) {
            throw JsonReading.wrong(at, "expected a time such as 2026-01-31T12:00:00Z");
        }
    }

    private static void duration(
            Descriptor type, JsonNode node, DynamicMessage.Builder to, String at) {
        Matcher m = DURATION.matcher(JsonScalars.text(node, at));
        if (!m.matches()) {
            throw JsonReading.wrong(at, "expected a duration such as 1.5s");
        }
        long nanos = new BigDecimal(m.group(1)).multiply(NANOS).toBigInteger().longValue();
        seconds(type, to, nanos / NANOS.longValue(), (int) (nanos % NANOS.longValue()));
    }

    private void struct(
            Descriptor type, JsonNode node, DynamicMessage.Builder to, String at, int depth) {
        if (!node.isObject()) {
            throw JsonReading.wrong(at, "expected an object");
        }
        FieldDescriptor entries = type.findFieldByNumber(1);
        FieldDescriptor key = entries.getMessageType().findFieldByNumber(1);
        FieldDescriptor value = entries.getMessageType().findFieldByNumber(2);
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            Message.Builder pair = to.newBuilderForField(entries);
            pair.setField(key, entry.getKey());
            pair.setField(
                    value,
                    reading.value(value, entry.getValue(), at + "/" + entry.getKey(), depth));
            to.addRepeatedField(entries, pair.build());
        }
    }

    private void list(
            Descriptor type, JsonNode node, DynamicMessage.Builder to, String at, int depth) {
        if (!node.isArray()) {
            throw JsonReading.wrong(at, "expected a list");
        }
        FieldDescriptor values = type.findFieldByNumber(1);
        int i = 0;
        for (JsonNode item : node) {
            to.addRepeatedField(values, reading.value(values, item, at + "/" + i++, depth));
        }
    }

    /// `google.protobuf.Value`: null, number, text, bool, struct, list.
    private void value(
            Descriptor type, JsonNode node, DynamicMessage.Builder to, String at, int depth) {
        int number =
                node.isNull()
                        ? 1
                        : node.isNumber()
                                ? 2
                                : node.isString()
                                        ? 3
                                        : node.isBoolean() ? 4 : node.isObject() ? 5 : 6;
        FieldDescriptor field = type.findFieldByNumber(number);
        to.setField(field, reading.value(field, node, at, depth));
    }

    private static String snakeCase(String camel) {
        return camel.strip().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
