package dev.jdyno.observe.logging;

import dev.jdyno.foreign.ForeignProperties;
import dev.jdyno.foreign.ForeignYaml;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// Properties, YAML and JSON (which is YAML) as trees of maps, or as dotted names.
public final class LoggingTree {
    /// Key of a name's own value if the name also has children: `rootLogger = info`,
    /// `rootLogger.level`.
    private static final String OWN = "";

    /// Maximum length of a dotted name, in characters. No library needs a longer one. If a key of a
    /// megabyte has a thousand children, their dotted names take a gigabyte.
    private static final int LONGEST_NAME = 256;

    private LoggingTree() {}

    /// A tree in which `appender.file.type = File` is a `type` in a `file` in an `appender`.
    static Map<String, Object> properties(byte[] content) throws IOException {
        Map<String, Object> tree = new TreeMap<>();
        ForeignProperties.of(content).forEach((key, value) -> put(tree, key, value));
        return tree;
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> tree, String key, String value) {
        int dot = key.indexOf('.');
        if (dot < 0) {
            if (tree.get(key) instanceof Map<?, ?> further) {
                ((Map<String, Object>) further).put(OWN, value);
            } else {
                tree.put(key, value);
            }
            return;
        }
        Object child = tree.get(key.substring(0, dot));
        Map<String, Object> in =
                child instanceof Map<?, ?> map ? (Map<String, Object>) map : new TreeMap<>();
        if (child instanceof String own) {
            in.put(OWN, own);
        }
        tree.put(key.substring(0, dot), in);
        put(in, key.substring(dot + 1), value);
    }

    /// Dotted names: `logging: {pattern: {console: x}}` is `logging.pattern.console`. Of several
    /// documents the first that contains a name counts.
    public static Map<String, String> flatYaml(byte[] content) throws IOException {
        Map<String, String> flat = new LinkedHashMap<>();
        for (Object document : ForeignYaml.trees(content)) {
            flatten("", document, flat);
        }
        return flat;
    }

    private static void flatten(String name, Object node, Map<String, String> flat) {
        if (name.length() > LONGEST_NAME) {
            return;
        }
        switch (node) {
            case Map<?, ?> map ->
                    map.forEach((key, value) ->
                            flatten(name.isEmpty() ? "" + key : name + "." + key, value, flat));
            case Collection<?> _ -> {
                // no list is relevant for logging
            }
            default -> flat.putIfAbsent(name, node.toString());
        }
    }
}
