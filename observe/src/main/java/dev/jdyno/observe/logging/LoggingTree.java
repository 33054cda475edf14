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
    /// Key of a name's own value where the name goes on, too: `rootLogger = info`,
    /// `rootLogger.level`.
    private static final String OWN = "";

    /// Letters of a dotted name. No library asks for a longer one, and where a key of a megabyte
    /// stands over a thousand others, their dotted names take a gigabyte.
    private static final int LONGEST_NAME = 256;

    private LoggingTree() {}

    /// `appender.file.type = File` is a `type` in a `file` in an `appender`.
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

    /// `logging: {pattern: {console: x}}` is `logging.pattern.console`; of several documents the
    /// first that has a name.
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
                // no list says anything of logging
            }
            default -> flat.putIfAbsent(name, node.toString());
        }
    }
}
