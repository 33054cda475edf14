package dev.jdyno.load.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes a message as JSON, for checks and for values taken from it. Fields without presence
/// tracking are written even with their default value, so that a check for 0 or false can hold.
/// 64-bit numbers are in quotes, as in protobuf's JSON mapping.
final class JsonWriting {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /// Maximum number of values of one message. A message of 4 MiB may contain two million empty
    /// values.
    static final int MAX_VALUES = 100_000;

    private int values;

    private JsonWriting() {}

    /// @throws IllegalArgumentException if the message has more than {@link #MAX_VALUES} values
    static String of(Message message) {
        return JsonMapper.shared().writeValueAsString(new JsonWriting().node(message));
    }

    private JsonNode node(Message message) {
        return switch (message.getDescriptorForType().getFullName()) {
            case "google.protobuf.Timestamp" -> timestamp(message);
            case "google.protobuf.Duration" ->
                    NODES.stringNode(
                            BigDecimal.valueOf(number(message, 1))
                                            .add(BigDecimal.valueOf(number(message, 2), 9))
                                            .stripTrailingZeros()
                                            .toPlainString()
                                    + "s");
            case "google.protobuf.DoubleValue",
                    "google.protobuf.FloatValue",
                    "google.protobuf.Int64Value",
                    "google.protobuf.UInt64Value",
                    "google.protobuf.Int32Value",
                    "google.protobuf.UInt32Value",
                    "google.protobuf.BoolValue",
                    "google.protobuf.StringValue",
                    "google.protobuf.BytesValue" -> {
                FieldDescriptor value = message.getDescriptorForType().findFieldByNumber(1);
                yield scalar(value, message.getField(value));
            }
            default -> object(message);
        };
    }

    private static long number(Message message, int field) {
        Object value = message.getField(message.getDescriptorForType().findFieldByNumber(field));
        return value instanceof Number n ? n.longValue() : 0;
    }

    private JsonNode timestamp(Message message) {
        try {
            return NODES.stringNode(
                    Instant.ofEpochSecond(number(message, 1), number(message, 2)).toString());
        } catch (DateTimeException beyondAllYears) {
            return object(message);
        }
    }

    private JsonNode object(Message message) {
        ObjectNode object = NODES.objectNode();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.isMapField()) {
                object.set(field.getJsonName(), map(field, message));
            } else if (field.isRepeated()) {
                ArrayNode list = NODES.arrayNode();
                for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
                    list.add(scalar(field, message.getRepeatedField(field, i)));
                }
                object.set(field.getJsonName(), list);
            } else if (!field.hasPresence() || message.hasField(field)) {
                object.set(field.getJsonName(), scalar(field, message.getField(field)));
            }
        }
        return object;
    }

    private JsonNode map(FieldDescriptor field, Message message) {
        ObjectNode map = NODES.objectNode();
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
        for (Object entry : (List<?>) message.getField(field)) {
            var pair = (Message) entry;
            map.set(
                    scalar(key, pair.getField(key)).asString(),
                    scalar(value, pair.getField(value)));
        }
        return map;
    }

    private JsonNode scalar(FieldDescriptor field, Object value) {
        if (++values > MAX_VALUES) {
            throw new IllegalArgumentException(
                    "the message has more than " + MAX_VALUES + " values");
        }
        return switch (field.getType()) {
            case INT32, SINT32, SFIXED32 -> NODES.numberNode((Integer) value);
            case UINT32, FIXED32 -> NODES.numberNode(Integer.toUnsignedLong((Integer) value));
            case INT64, SINT64, SFIXED64 -> NODES.stringNode(value.toString());
            case UINT64, FIXED64 -> NODES.stringNode(Long.toUnsignedString((Long) value));
            case FLOAT, DOUBLE -> real(((Number) value).doubleValue(), value);
            case BOOL -> NODES.booleanNode((Boolean) value);
            case STRING -> NODES.stringNode((String) value);
            case BYTES ->
                    NODES.stringNode(
                            Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
            case ENUM -> NODES.stringNode(((EnumValueDescriptor) value).getName());
            case MESSAGE, GROUP -> node((Message) value);
        };
    }

    private static JsonNode real(double number, Object value) {
        return Double.isFinite(number)
                ? value instanceof Float f ? NODES.numberNode(f) : NODES.numberNode(number)
                : NODES.stringNode(Double.toString(number));
    }
}
