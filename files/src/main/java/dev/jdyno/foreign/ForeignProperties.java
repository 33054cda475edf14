package dev.jdyno.foreign;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.TreeMap;

/// A properties file from an untrusted source.
public final class ForeignProperties {
    /// Maximum number of parts of a name, `a.b.c`: a tree made of them has this depth.
    private static final int MAX_PARTS = ForeignYaml.MAX_DEPTH;

    private ForeignProperties() {}

    /// Properties by name, sorted.
    ///
    /// @throws Malformed when it is not a properties file, is larger than {@link
    ///   ForeignText#MAX_BYTES}, or a name has more parts than the maximum depth
    public static Map<String, String> of(byte[] content) throws IOException {
        ForeignText.requireUsual(content);
        var properties = new Properties();
        try {
            properties.load(new ByteArrayInputStream(content));
        } catch (IllegalArgumentException malformed) {
            throw Malformed.at(
                    OptionalInt.empty(),
                    "no properties: a malformed \\u escape",
                    Optional.empty(),
                    malformed);
        }
        Map<String, String> sorted = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.chars().filter(c -> c == '.').count() >= MAX_PARTS) {
                throw Malformed.of("a name of more than " + MAX_PARTS + " parts");
            }
            sorted.put(name, properties.getProperty(name));
        }
        return sorted;
    }
}
