package dev.jdyno.driver;

import dev.jdyno.foreign.Malformed;
import tools.jackson.databind.JsonNode;

/// Values of JSON that a driver wrote.
final class Json {
    private Json() {}

    /// {@link Printed#UNKNOWN} where it is not there.
    ///
    /// @throws Malformed when it is negative or no number
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

    /// 0 where it is not there.
    static long count(JsonNode node) throws Malformed {
        double value = number(node);
        return Double.isNaN(value) ? 0 : Math.round(value);
    }

    /// A name of the driver's that becomes a part of one of ours.
    static String word(String text) {
        String plain = text.replaceAll("[^A-Za-z0-9]", "");
        return plain.isEmpty() ? "0" : plain.substring(0, Math.min(20, plain.length()));
    }
}
