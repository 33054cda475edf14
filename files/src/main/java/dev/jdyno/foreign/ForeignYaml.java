package dev.jdyno.foreign;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/// YAML, including JSON, from an untrusted source.
///
/// The parser's events are counted first, as a stream. The reason: the parser builds nodes by
/// recursion, and fails with a `StackOverflowError` if values are nested thousands of levels deep.
/// Then aliases are counted by the values that they represent: ten lines of aliases of aliases
/// ("billion laughs") represent more values than fit into any memory. The result is finite, acyclic
/// and flat enough for recursion.
public final class ForeignYaml {
    /// Maximum depth of nested values.
    public static final int MAX_DEPTH = 100;

    /// Maximum number of values in one file, each alias counted at every occurrence. Plans and
    /// configurations have some hundred.
    public static final int MAX_VALUES = 100_000;

    private static final int MAX_ALIASES = 1000;
    private static final int BUFFER = 1 << 17;

    private static final LoadSettings SETTINGS =
            LoadSettings.builder()
                    .setAllowDuplicateKeys(true)
                    .setAllowNonScalarKeys(true)
                    .setAllowRecursiveKeys(true)
                    .setMaxAliasesForCollections(MAX_ALIASES)
                    // The parser copies the beginning of a token that is longer than its buffer
                    // with each further part.
                    .setBufferSize(BUFFER)
                    // A text has at most as many code points as the bytes from which it was
                    // decoded.
                    .setCodePointLimit(ForeignText.MAX_BYTES)
                    .build();

    private ForeignYaml() {}

    /// The documents of a file as nodes with line numbers.
    ///
    /// @throws Malformed when it is not YAML, or exceeds the limits
    public static List<Node> documents(byte[] content) throws Malformed {
        ForeignText.requireUsual(content);
        return documents(ForeignText.decode(content));
    }

    /// @throws Malformed when it is not YAML, or exceeds the limits
    public static List<Node> documents(String text) throws Malformed {
        checkEvents(text);
        var nodes = new ArrayList<Node>();
        try {
            new Compose(SETTINGS).composeAllFromString(text).forEach(nodes::add);
        } catch (RuntimeException refused) {
            // the parser throws several exceptions of its own, and a few of the JDK
            throw malformed(refused, text, 0);
        }
        var sizes = new Sizes();
        long values = 0;
        for (Node node : nodes) {
            values += sizes.of(node, 1).values;
            if (values > MAX_VALUES) {
                throw tooMany(node);
            }
        }
        return nodes;
    }

    /// The documents as maps, lists and texts. A null value is left out of its map or list. If a
    /// key occurs twice, its last value counts.
    ///
    /// @throws Malformed when it is not YAML, or exceeds the limits
    public static List<Object> trees(byte[] content) throws Malformed {
        List<Object> trees = new ArrayList<>();
        for (Node node : documents(content)) {
            Object tree = tree(node);
            if (tree != null) {
                trees.add(tree);
            }
        }
        return trees;
    }

    private static @Nullable Object tree(Node node) {
        return switch (node) {
            case MappingNode mapping -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (NodeTuple entry : mapping.getValue()) {
                    Object value = tree(entry.getValueNode());
                    if (value != null && entry.getKeyNode() instanceof ScalarNode key) {
                        map.put(key.getValue(), value);
                    }
                }
                yield map;
            }
            case SequenceNode sequence -> {
                List<Object> list = new ArrayList<>();
                for (Node item : sequence.getValue()) {
                    Object value = tree(item);
                    if (value != null) {
                        list.add(value);
                    }
                }
                yield list;
            }
            case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> null;
            case ScalarNode scalar -> scalar.getValue();
            default -> null;
        };
    }

    private static void checkEvents(String text) throws Malformed {
        int depth = 0;
        int values = 0;
        int aliases = 0;
        int line = 0;
        try {
            for (Event event : new Parse(SETTINGS).parseString(text)) {
                line = event.getStartMark().map(ForeignYaml::line).orElse(line);
                switch (event.getEventId()) {
                    case SequenceStart, MappingStart -> depth++;
                    case SequenceEnd, MappingEnd -> depth--;
                    case Alias -> aliases++;
                    case Scalar -> values++;
                    default -> {
                        // begins and ends of documents and of the stream
                    }
                }
                if (depth > MAX_DEPTH) {
                    throw tooDeep(line);
                }
                if (aliases > MAX_ALIASES) {
                    throw Malformed.at(line, "more than " + MAX_ALIASES + " aliases");
                }
                if (values > MAX_VALUES) {
                    throw Malformed.at(line, "more than " + MAX_VALUES + " values");
                }
            }
        } catch (RuntimeException refused) {
            throw malformed(refused, text, line);
        }
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }

    private static int line(Node node) {
        return node.getStartMark().map(ForeignYaml::line).orElse(1);
    }

    private static Malformed tooDeep(int line) {
        return Malformed.at(line, "values nested deeper than " + MAX_DEPTH + " levels");
    }

    private static Malformed tooMany(Node node) {
        return Malformed.at(
                line(node), "aliases that stand for more than " + MAX_VALUES + " values");
    }

    /// @param behind the last line that was read successfully; 0 if unknown
    private static Malformed malformed(RuntimeException refused, String text, int behind) {
        String kind = "no YAML";
        return switch (refused) {
            case MarkedYamlEngineException marked ->
                    Malformed.at(
                            marked.getProblemMark()
                                    .map(m -> OptionalInt.of(line(m)))
                                    .orElse(OptionalInt.of(Math.max(1, behind))),
                            kind,
                            Optional.ofNullable(marked.getProblem()),
                            marked);
            case ReaderException character ->
                    Malformed.at(
                            OptionalInt.of(ForeignText.lineAt(text, character.getPosition())),
                            "a character that YAML does not allow",
                            Optional.empty(),
                            character);
            case YamlVersionException version ->
                    Malformed.at(
                            OptionalInt.of(Math.max(1, behind)),
                            "a version of YAML that is not 1.2",
                            Optional.empty(),
                            version);
            default ->
                    Malformed.at(
                            OptionalInt.of(Math.max(1, behind)),
                            kind,
                            Optional.ofNullable(refused.getMessage()),
                            refused);
        };
    }

    /// Sizes of nodes with aliases followed.
    private static final class Sizes {
        private final IdentityHashMap<Node, Size> known = new IdentityHashMap<>();

        /// @param height number of nested levels, including itself
        private record Size(long values, int height) {
            /// Marks a node that is being measured.
            static final Size OPEN = new Size(0, 0);
        }

        Size of(Node node, int depth) throws Malformed {
            Size size = known.get(node);
            if (size != null && size.height == 0) {
                throw Malformed.at(line(node), "an anchor that holds an alias of itself");
            }
            if (depth > MAX_DEPTH || (size != null && depth + size.height - 1 > MAX_DEPTH)) {
                throw tooDeep(line(node));
            }
            if (size != null) {
                return size;
            }
            known.put(node, Size.OPEN);
            long values = 1;
            int height = 1;
            for (Node child : children(node)) {
                Size one = of(child, depth + 1);
                values += one.values;
                height = Math.max(height, one.height + 1);
                if (values > MAX_VALUES) {
                    throw tooMany(node);
                }
            }
            size = new Size(values, height);
            known.put(node, size);
            return size;
        }

        private static List<Node> children(Node node) {
            return switch (node) {
                case MappingNode mapping ->
                        mapping.getValue().stream()
                                .<Node>mapMulti((entry, to) -> {
                                    to.accept(entry.getKeyNode());
                                    to.accept(entry.getValueNode());
                                })
                                .toList();
                case SequenceNode sequence -> sequence.getValue();
                default -> List.of();
            };
        }
    }
}
