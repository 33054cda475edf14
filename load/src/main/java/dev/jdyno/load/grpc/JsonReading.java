package dev.jdyno.load.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads JSON as a message, by protobuf's JSON mapping
/// (https://protobuf.dev/programming-guides/json). Any number may be in quotes, including 32-bit
/// ones.
final class JsonReading {
    /// Maximum depth of nested messages, as in protobuf's own readers.
    private static final int DEEPEST = 100;

    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final JsonFields fields;
    private final WellKnown wellKnown = new WellKnown(this);

    JsonReading(JsonFields fields) {
        this.fields = fields;
    }

    /// @param json a JSON object; an empty text is a message without fields
    /// @throws IllegalArgumentException if the JSON is no such message, with the position and the
    ///   reason
    DynamicMessage.Builder message(Descriptor type, String json) {
        return message(type, json.isBlank() ? JSON.createObjectNode() : parsed(json), "", 0);
    }

    private static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation();
            throw new IllegalArgumentException(
                    at == null
                            ? "not JSON"
                            : "not JSON at line " + at.getLineNr() + ", column " + at.getColumnNr(),
                    e);
        }
    }

    DynamicMessage.Builder message(Descriptor type, JsonNode node, String at, int depth) {
        if (depth > DEEPEST) {
            throw wrong(at, "more than " + DEEPEST + " messages in each other");
        }
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        if (wellKnown.read(type, node, message, at, depth)) {
            return message;
        }
        if (!node.isObject()) {
            throw wrong(at, "expected an object, the fields of " + type.getFullName());
        }
        Set<Object> given = new HashSet<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            String name = entry.getKey();
            FieldDescriptor field =
                    fields.find(type, name)
                            .orElseThrow(() ->
                                    wrong(
                                            at,
                                            Schema.unknown(
                                                    type.getFullName() + " has no field",
                                                    name,
                                                    type.getFields().stream()
                                                            .map(FieldDescriptor::getJsonName)
                                                            .toList())));
            JsonNode value = entry.getValue();
            if (value.isNull() && !WellKnown.takesNull(field)) {
                continue;
            }
            Object oneOf = field.getRealContainingOneof();
            if (!given.add(field) || (oneOf != null && !given.add(oneOf))) {
                throw wrong(at, "'" + name + "' or another field of its kind is given twice");
            }
            set(message, field, value, at + "/" + name, depth);
        }
        return message;
    }

    private void set(
            DynamicMessage.Builder message,
            FieldDescriptor field,
            JsonNode value,
            String at,
            int depth) {
        if (field.isMapField()) {
            map(message, field, value, at, depth);
        } else if (field.isRepeated()) {
            if (!value.isArray()) {
                throw wrong(at, "expected a list");
            }
            int i = 0;
            for (JsonNode item : value) {
                message.addRepeatedField(field, value(field, item, at + "/" + i++, depth));
            }
        } else {
            message.setField(field, value(field, value, at, depth));
        }
    }

    private void map(
            DynamicMessage.Builder message,
            FieldDescriptor field,
            JsonNode value,
            String at,
            int depth) {
        if (!value.isObject()) {
            throw wrong(at, "expected an object, the entries of a map");
        }
        Descriptor type = field.getMessageType();
        FieldDescriptor key = type.findFieldByNumber(1);
        FieldDescriptor of = type.findFieldByNumber(2);
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            String place = at + "/" + entry.getKey();
            Message.Builder pair = message.newBuilderForField(field);
            pair.setField(key, JsonScalars.mapKey(key, entry.getKey(), place));
            pair.setField(of, value(of, entry.getValue(), place, depth));
            message.addRepeatedField(field, pair.build());
        }
    }

    Object value(FieldDescriptor field, JsonNode node, String at, int depth) {
        return switch (field.getJavaType()) {
            case MESSAGE -> message(field.getMessageType(), node, at, depth + 1).build();
            default -> JsonScalars.read(field, node, at);
        };
    }

    /// @param at position of the mistake as a JSON pointer; empty for the top level
    static IllegalArgumentException wrong(String at, String why) {
        return new IllegalArgumentException(at.isEmpty() ? why : "at " + at + ": " + why);
    }
}
