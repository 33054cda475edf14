package dev.jdyno.plan;

import dev.jdyno.measure.text.Nearest;
import dev.jdyno.measure.text.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// One mapping of a plan, read key by key. Every mistake goes into the shared {@link Problems} with
/// file, line and the key's path; {@link #close} reports the keys that were not read.
final class YamlMap {
    /// Maximum number of characters of a message; a longer message is shortened.
    private static final int MAX_SHOWN = 300;

    private final String file;
    private final String path;
    private final int line;
    private final Problems problems;
    private final Variables variables;
    private final Map<String, Node> entries = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();
    private final List<String> known = new ArrayList<>();

    private YamlMap(String file, String path, int line, Problems problems, Variables variables) {
        this.file = file;
        this.path = path;
        this.line = line;
        this.problems = problems;
        this.variables = variables;
    }

    static YamlMap of(String file, String path, Node node, Problems problems, Variables variables) {
        var map = new YamlMap(file, path, lineOf(node), problems, variables);
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode key) {
                    if (map.entries.put(key.getValue(), tuple.getValueNode()) != null) {
                        problems.add(
                                map.where(key.getValue(), lineOf(key)),
                                "the key stands twice",
                                "keep one of them");
                    }
                    map.lines.put(key.getValue(), lineOf(key));
                } else {
                    problems.add(
                            map.where("?", lineOf(tuple.getKeyNode())),
                            "a key must be a plain word",
                            "write key: value");
                }
            }
        } else {
            problems.add(
                    file + ":" + map.line + (path.isEmpty() ? "" : " " + path),
                    "expected keys and values here",
                    "write one `key: value` a line");
        }
        return map;
    }

    private static int lineOf(Node node) {
        return node.getStartMark().map(m -> m.getLine() + 1).orElse(1);
    }

    private String where(String key, int atLine) {
        return file + ":" + atLine + " " + shown(pathOf(key));
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /// The variables of a file whose keys are below `key` here.
    Variables variablesBelow(String key) {
        return variables.below(pathOf(key));
    }

    String where(String key) {
        return where(key, lines.getOrDefault(key, line));
    }

    boolean has(String key) {
        return entries.containsKey(key);
    }

    /// The plain value under `key` with its variable references unreplaced, for a name that must
    /// not show a variable's value; `?` if there is none.
    String asWritten(String key) {
        return entries.get(key) instanceof ScalarNode scalar ? scalar.getValue() : "?";
    }

    /// True if `key` has a single plain value.
    boolean isValue(String key) {
        return entries.get(key) instanceof ScalarNode;
    }

    void problem(String key, String what, String fix) {
        problems.add(where(key), shown(what), fix);
    }

    /// Shortens a message with a value of the file in it, which may be of any length.
    static String shown(String what) {
        return what.length() <= MAX_SHOWN ? what : what.substring(0, MAX_SHOWN) + "…";
    }

    /// The scalar under `key` after its variables are replaced, read by `reader`, which throws
    /// IllegalArgumentException for an invalid value.
    <T> Optional<T> value(String key, Function<String, T> reader, String fix) {
        return scalar(key, fix).flatMap(s -> read(key, key, variables.replace(s), reader, fix));
    }

    /// Reads a text with placeholders that the load engine fills.
    ///
    /// @param holes names that the engine fills; others are environment variables
    Optional<String> template(
            String key, Set<String> holes, UnaryOperator<String> reader, String fix) {
        return scalar(key, fix)
                .flatMap(s -> read(key, key, variables.inTemplate(s, holes), reader, fix));
    }

    private Optional<String> scalar(String key, String fix) {
        known.add(key);
        Node node = entries.get(key);
        if (node == null) {
            return Optional.empty();
        }
        if (!(node instanceof ScalarNode scalar)) {
            problem(key, "expected one value", fix);
            return Optional.empty();
        }
        return Optional.of(scalar.getValue());
    }

    /// @param place key of the value; `key[]` for an item of a list
    private <T> Optional<T> read(
            String key,
            String place,
            Variables.Replaced replaced,
            Function<String, T> reader,
            String fix) {
        replaced.mistakes()
                .forEach(m -> problem(key, m, "set it, or write $${ where the text ${ is meant"));
        if (!replaced.mistakes().isEmpty()) {
            return Optional.empty();
        }
        try {
            T value = reader.apply(replaced.text());
            variables.remember(pathOf(place), value, replaced);
            return Optional.of(value);
        } catch (NumberFormatException _) {
            problem(key, "'" + replaced.raw() + "' is not a number", fix);
        } catch (IllegalArgumentException e) {
            // with a variable in it, the message would show the variable's value, which may be a
            // secret
            problem(
                    key,
                    replaced.hasVariables()
                            ? "the value of '" + replaced.raw() + "' cannot be used here"
                            : String.valueOf(e.getMessage()),
                    fix);
        }
        return Optional.empty();
    }

    /// The list of scalars under `key`; empty when the key is missing.
    <T> List<T> values(String key, Function<String, T> reader, String fix) {
        known.add(key);
        Node node = entries.get(key);
        List<T> all = new ArrayList<>();
        if (node instanceof SequenceNode sequence) {
            for (Node item : sequence.getValue()) {
                if (item instanceof ScalarNode scalar) {
                    read(key, key + "[]", variables.replace(scalar.getValue()), reader, fix)
                            .ifPresent(all::add);
                } else {
                    problem(key, "expected plain values in the list", fix);
                }
            }
        } else if (node != null) {
            problem(key, "expected a list", fix);
        }
        return all;
    }

    /// The mapping of strings under `key`, in its order.
    Map<String, String> strings(String key) {
        return texts(key, (inner, name) -> inner.value(name, Function.identity(), "write a text"));
    }

    /// Reads texts with placeholders that the load engine fills.
    Map<String, String> templates(String key, Set<String> holes) {
        return texts(
                key,
                (inner, name) ->
                        inner.template(name, holes, UnaryOperator.identity(), "write a text"));
    }

    private Map<String, String> texts(
            String key, BiFunction<YamlMap, String, Optional<String>> reader) {
        Map<String, String> all = new LinkedHashMap<>();
        map(key).ifPresent(inner -> {
            for (String name : List.copyOf(inner.entries.keySet())) {
                reader.apply(inner, name).ifPresent(text -> all.put(name, text));
            }
        });
        return all;
    }

    /// The keys of all mappings under `key`, at any depth below this one.
    Set<String> namesUnder(String key) {
        Set<String> names = new LinkedHashSet<>();
        entries.forEach((name, node) -> namesUnder(key, name, node, names));
        return names;
    }

    private static void namesUnder(String key, String at, Node node, Set<String> names) {
        if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(item -> namesUnder(key, "", item, names));
        } else if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                if (tuple.getKeyNode() instanceof ScalarNode name) {
                    if (at.equals(key)) {
                        names.add(name.getValue());
                    }
                    namesUnder(key, name.getValue(), tuple.getValueNode(), names);
                }
            }
        }
    }

    /// The mapping under `key`, to be read next.
    Optional<YamlMap> map(String key) {
        known.add(key);
        return Optional.ofNullable(entries.get(key))
                .map(n -> of(file, pathOf(key), n, problems, variables));
    }

    /// The list of mappings under `key`, each to be read next; empty if the key is missing.
    List<YamlMap> maps(String key) {
        known.add(key);
        List<YamlMap> all = new ArrayList<>();
        Node node = entries.get(key);
        if (node instanceof SequenceNode sequence) {
            for (Node item : sequence.getValue()) {
                String place = key + "[" + all.size() + "]";
                all.add(of(file, pathOf(place), item, problems, variables));
            }
        } else if (node != null) {
            problem(key, "expected a list", "write one item a line, each after a dash");
        }
        return all;
    }

    /// Reports every key that was never read, with the nearest existing one.
    void close() {
        for (String key : entries.keySet()) {
            if (!known.contains(key)) {
                problem(
                        key,
                        "unknown key",
                        Nearest.of(key, known)
                                .map(n -> "did you mean '" + n + "'?")
                                .orElse("known here: " + String.join(", ", known)));
            }
        }
    }
}
