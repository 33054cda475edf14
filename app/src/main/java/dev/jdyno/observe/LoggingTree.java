package dev.jdyno.observe;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// Reads properties, YAML and JSON (which is YAML) into trees of maps, or into dotted names.
final class LoggingTree {
    /// Key of a name's own value where the name goes on, too: `rootLogger = info`,
    /// `rootLogger.level`.
    private static final String OWN = "";

    private LoggingTree() {}

    /// @throws IOException when they are none
    static Map<String, String> flatProperties(byte[] content) throws IOException {
        var properties = new Properties();
        try {
            properties.load(new ByteArrayInputStream(content));
        } catch (IllegalArgumentException malformed) {
            throw new IOException("no properties: " + malformed.getMessage(), malformed);
        }
        Map<String, String> flat = new TreeMap<>();
        properties.stringPropertyNames().forEach(k -> flat.put(k, properties.getProperty(k)));
        return flat;
    }

    /// `appender.file.type = File` is a `type` in a `file` in an `appender`.
    static Map<String, Object> properties(byte[] content) throws IOException {
        Map<String, Object> tree = new TreeMap<>();
        flatProperties(content).forEach((key, value) -> put(tree, key, value));
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

    /// All its documents.
    ///
    /// @throws IOException when it is none
    static Iterable<Object> yaml(byte[] content) throws IOException {
        try {
            var load = new Load(LoadSettings.builder().setAllowDuplicateKeys(true).build());
            List<Object> documents = new ArrayList<>();
            for (Object document : load.loadAllFromInputStream(new ByteArrayInputStream(content))) {
                if (document != null) {
                    documents.add(document);
                }
            }
            return documents;
        } catch (YamlEngineException malformed) {
            throw new IOException("no YAML: " + malformed.getMessage(), malformed);
        }
    }

    /// `logging: {pattern: {console: x}}` is `logging.pattern.console`; of several documents the
    /// first that has a name.
    static Map<String, String> flatYaml(byte[] content) throws IOException {
        Map<String, String> flat = new LinkedHashMap<>();
        for (Object document : yaml(content)) {
            flatten("", document, flat);
        }
        return flat;
    }

    private static void flatten(String name, Object node, Map<String, String> flat) {
        switch (node) {
            case Map<?, ?> map ->
                    map.forEach((key, value) -> {
                        if (value != null) {
                            flatten(name.isEmpty() ? "" + key : name + "." + key, value, flat);
                        }
                    });
            case Collection<?> _ -> {
                // no list says anything of logging
            }
            default -> flat.putIfAbsent(name, node.toString());
        }
    }
}
