package dev.jdyno.serve.mcp;

import dev.jdyno.measure.text.UserError;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Shortens a document until the answer with it stays below {@link #MAX_BYTES}. An answer has the
/// document twice: as structured content, and as a text for clients that read only texts.
///
/// The longest list is shortened first, then the long texts. The document's key `leftOut` has each
/// place that was shortened, with its length before and after.
final class ShortAnswer {
    /// Maximum length of an answer in bytes. Claude Code refuses an answer of a tool above 25,000
    /// tokens, which is about 100 kB of JSON.
    static final int MAX_BYTES = 80_000;

    /// Maximum length of an answer without the document: the protocol's keys and the id.
    private static final int FRAME_BYTES = 2_000;

    /// Maximum length of a text, in characters, in a document that is too long and has no list to
    /// shorten.
    private static final int LONGEST_TEXT = 1_000;

    /// Lists in the order of time. Their newest elements, the last ones, are kept.
    private static final Set<String> NEWEST_LAST = Set.of("points");

    private static final String LEFT_OUT = "leftOut";

    private final ObjectNode tree;
    private final Map<String, Cut> cuts = new LinkedHashMap<>();

    private ShortAnswer(ObjectNode tree) {
        this.tree = tree;
    }

    /// @param at JSON pointer of a list or a text
    /// @param kept elements of the list, or characters of the text
    /// @param of the same count before elements or characters were left out
    private record Cut(String at, int kept, int of) {}

    private record Place(String at, String name, ArrayNode list, long bytes) {}

    /// @param document a JSON object
    /// @throws UserError if the document is too long, and has no list or text that can be shortened
    static String of(String document) {
        if (bytes(document) <= MAX_BYTES - FRAME_BYTES) {
            return document;
        }
        return new ShortAnswer((ObjectNode) JsonMapper.shared().readTree(document)).shortened();
    }

    private String shortened() {
        for (long tooMany = excess(); tooMany > 0; tooMany = excess()) {
            Optional<Place> longest = longest("", "", tree);
            if (longest.isPresent()) {
                shorten(longest.get(), tooMany);
            } else if (!shortenTexts("", tree)) {
                throw UserError.target(
                        "the answer has more than " + MAX_BYTES + " bytes",
                        "no list and no text of it is long enough to be shortened",
                        "read the files of the result, or ask for fewer results");
            }
            noteCuts();
        }
        return tree.toString();
    }

    private long excess() {
        return bytes(tree.toString()) - (MAX_BYTES - FRAME_BYTES);
    }

    /// Length of a document in an answer, which contains it twice: as a value and as a text.
    private static long bytes(String document) {
        return utf8(document) + utf8(JsonMapper.shared().writeValueAsString(document));
    }

    private static long utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// The list of two and more elements that takes the most bytes.
    private static Optional<Place> longest(String at, String name, JsonNode node) {
        Optional<Place> found =
                node instanceof ArrayNode list && list.size() > 1
                        ? Optional.of(new Place(at, name, list, bytes(list.toString())))
                        : Optional.empty();
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> e : object.properties()) {
                String key = e.getKey();
                if (!at.isEmpty() || !key.equals(LEFT_OUT)) {
                    found = longer(found, longest(at + "/" + escaped(key), key, e.getValue()));
                }
            }
        } else {
            for (int i = 0; i < node.size(); i++) {
                found = longer(found, longest(at + "/" + i, name, node.get(i)));
            }
        }
        return found;
    }

    /// The place that takes more bytes; the outer one if both are equal.
    private static Optional<Place> longer(Optional<Place> one, Optional<Place> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return other.get().bytes() > one.get().bytes() ? other : one;
    }

    /// A key in a JSON pointer (RFC 6901).
    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    private void shorten(Place longest, long tooMany) {
        ArrayNode list = longest.list();
        int before = list.size();
        double share = Math.min(1, (double) tooMany / longest.bytes());
        int kept = Math.clamp((long) Math.floor(before * (1 - share)), 1, before - 1);
        boolean oldestFirst = NEWEST_LAST.contains(longest.name());
        while (list.size() > kept) {
            list.remove(oldestFirst ? 0 : list.size() - 1);
        }
        cut(longest.at(), kept, before);
    }

    /// @return false if no text was long enough
    private boolean shortenTexts(String at, JsonNode node) {
        boolean any = false;
        if (node instanceof ObjectNode object) {
            for (String key : object.propertyNames().toArray(String[]::new)) {
                String there = at + "/" + escaped(key);
                if (isLong(object.get(key))) {
                    object.put(key, shortText(there, object.get(key).asString()));
                    any = true;
                } else {
                    any |= shortenTexts(there, object.get(key));
                }
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                String there = at + "/" + i;
                if (isLong(list.get(i))) {
                    list.set(i, shortText(there, list.get(i).asString()));
                    any = true;
                } else {
                    any |= shortenTexts(there, list.get(i));
                }
            }
        }
        return any;
    }

    private static boolean isLong(JsonNode value) {
        return value.isString() && value.asString().length() > LONGEST_TEXT;
    }

    private String shortText(String at, String text) {
        cut(at, LONGEST_TEXT, text.length());
        return text.substring(0, LONGEST_TEXT - 1) + "…";
    }

    private void cut(String at, int kept, int before) {
        Cut first = cuts.get(at);
        cuts.put(at, new Cut(at, kept, first == null ? before : first.of()));
    }

    private void noteCuts() {
        ArrayNode all = tree.putArray(LEFT_OUT);
        for (Cut c : cuts.values()) {
            all.addObject().put("at", c.at()).put("kept", c.kept()).put("of", c.of());
        }
    }
}
