package dev.jdyno.load.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/// Converts JSON values that are no messages into the objects that protobuf's fields take.
final class JsonScalars {
    private static final long MAX_UNSIGNED_32 = 0xffff_ffffL;
    private static final BigInteger MAX_UNSIGNED_64 =
            BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    /// Number of decimal digits of the largest 64-bit number.
    private static final int MAX_DIGITS = 20;

    private JsonScalars() {}

    static Object read(FieldDescriptor field, JsonNode node, String at) {
        return switch (field.getType()) {
            case INT32, SINT32, SFIXED32 ->
                    (int) integer(node, at, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case UINT32, FIXED32 -> (int) integer(node, at, 0, MAX_UNSIGNED_32);
            case INT64, SINT64, SFIXED64 -> integer(node, at, Long.MIN_VALUE, Long.MAX_VALUE);
            case UINT64, FIXED64 -> unsigned(node, at);
            case FLOAT -> (float) real(node, at);
            case DOUBLE -> real(node, at);
            case BOOL -> {
                if (!node.isBoolean()) {
                    throw JsonReading.wrong(at, "expected true or false");
                }
                yield node.booleanValue();
            }
            case STRING -> text(node, at);
            case BYTES -> bytes(node, at);
            case ENUM -> constant(field, node, at);
            case MESSAGE, GROUP ->
                    throw new IllegalStateException("a message is no scalar: " + field);
        };
    }

    /// Reads a key of a map field. In JSON, keys are always strings, whatever their type in the
    /// message.
    static Object mapKey(FieldDescriptor key, String text, String at) {
        return switch (key.getJavaType()) {
            case STRING -> text;
            case BOOLEAN -> {
                if (!text.equals("true") && !text.equals("false")) {
                    throw JsonReading.wrong(at, "the map's keys are true and false");
                }
                yield Boolean.parseBoolean(text);
            }
            default -> read(key, StringNode.valueOf(text), at);
        };
    }

    static String text(JsonNode node, String at) {
        if (!node.isString()) {
            throw JsonReading.wrong(at, "expected a text in quotes");
        }
        return node.asString();
    }

    private static BigDecimal number(JsonNode node, String at) {
        try {
            if (node.isNumber()) {
                return node.decimalValue();
            }
            if (node.isString()) {
                return new BigDecimal(node.asString().strip());
            }
        } catch (NumberFormatException noNumber) {
            throw JsonReading.wrong(at, "'" + node.asString() + "' is no number");
        }
        throw JsonReading.wrong(at, "expected a number");
    }

    private static long integer(JsonNode node, String at, long min, long max) {
        BigDecimal number = number(node, at);
        try {
            long value = number.longValueExact();
            if (value >= min && value <= max) {
                return value;
            }
        } catch (ArithmeticException notWhole) {
            // the exception below reports it
        }
        throw JsonReading.wrong(at, "expected a whole number from " + min + " to " + max);
    }

    private static long unsigned(JsonNode node, String at) {
        BigDecimal number = number(node, at);
        long digits = (long) number.precision() - number.scale();
        // check the size first: 1e999999999 as an integer would take all memory
        if (number.signum() == 0) {
            return 0;
        }
        if (number.signum() > 0 && digits > 0 && digits <= MAX_DIGITS) {
            BigDecimal plain = number.stripTrailingZeros();
            BigInteger value = plain.toBigInteger();
            if (plain.scale() <= 0 && value.compareTo(MAX_UNSIGNED_64) <= 0) {
                return value.longValue();
            }
        }
        throw JsonReading.wrong(at, "expected a whole number from 0 to " + MAX_UNSIGNED_64);
    }

    private static double real(JsonNode node, String at) {
        return switch (node.isString() ? node.asString() : "") {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> number(node, at).doubleValue();
        };
    }

    private static ByteString bytes(JsonNode node, String at) {
        String text = text(node, at).replace('-', '+').replace('_', '/');
        try {
            return ByteString.copyFrom(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw JsonReading.wrong(at, "expected bytes in base64");
        }
    }

    private static EnumValueDescriptor constant(FieldDescriptor field, JsonNode node, String at) {
        if (node.isNull()) { // google.protobuf.NullValue
            return field.getEnumType().getValues().getFirst();
        }
        if (node.isNumber()) {
            int number = (int) integer(node, at, Integer.MIN_VALUE, Integer.MAX_VALUE);
            return field.getEnumType().findValueByNumberCreatingIfUnknown(number);
        }
        String name = text(node, at);
        EnumValueDescriptor value = field.getEnumType().findValueByName(name);
        if (value == null) {
            throw JsonReading.wrong(
                    at,
                    Schema.unknown(
                            field.getEnumType().getFullName() + " has no value",
                            name,
                            field.getEnumType().getValues().stream()
                                    .map(EnumValueDescriptor::getName)
                                    .toList()));
        }
        return value;
    }
}
