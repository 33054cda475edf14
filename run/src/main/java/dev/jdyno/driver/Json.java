package dev.jdyno.driver;

import dev.jdyno.foreign.Malformed;
import tools.jackson.databind.JsonNode;

/// Values of JSON that a driver wrote.
final class Json {
    private Json() {}

    /// {@link Printed#UNKNOWN} if it is missing.
    ///
    /// @throws Malformed if it is negative or not a number
    static double number(JsonNode node) throws Malformed {
        if (node.isMissingNode() || node.isNull()) {
            return Printed.UNKNOWN;
        }
        double value = node.isNumber() ? node.doubleValue() : Double.NaN;
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw Malformed.of("a value that is no number of at least 0");
        }
        return value;
    }

    /// 0 if it is missing.
    static long count(JsonNode node) throws Malformed {
        double value = number(node);
        return Double.isNaN(value) ? 0 : Math.round(value);
    }

    /// Makes a driver's name usable as a part of one of ours.
    static String word(String text) {
        String plain = text.replaceAll("[^A-Za-z0-9]", "");
        return plain.isEmpty() ? "0" : plain.substring(0, Math.min(20, plain.length()));
    }
}
