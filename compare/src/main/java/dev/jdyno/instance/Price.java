package dev.jdyno.instance;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Prices of a month, in any currency.
///
/// @param perCore price of a core
/// @param perGibibyte price of a GiB of memory
public record Price(double perCore, double perGibibyte) {
    private static final String FORM = "write cpu=30,memory=4: a month of a core, and of a GiB";

    private static final Pattern PART = Pattern.compile("(cpu|memory)=(\\d{1,9}(?:\\.\\d{1,6})?)");

    /// @throws IllegalArgumentException if the text is not `cpu=30,memory=4`
    public static Price parse(String text) {
        Map<String, Double> parts = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            Matcher m = PART.matcher(part.strip());
            if (!m.matches() || parts.put(m.group(1), Double.valueOf(m.group(2))) != null) {
                throw new IllegalArgumentException("'" + text + "' is not a price: " + FORM);
            }
        }
        if (parts.size() < 2) {
            throw new IllegalArgumentException("'" + text + "' is half a price: " + FORM);
        }
        return new Price(parts.getOrDefault("cpu", 0.0), parts.getOrDefault("memory", 0.0));
    }

    /// Price of an instance for a month.
    public double of(InstanceSize size) {
        return size.cores() * perCore + size.mebibytes() / 1024.0 * perGibibyte;
    }
}
