package dev.jdyno.foreign;

import java.io.Reader;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JSON from an untrusted source.
public final class ForeignJson {
    /// Maximum depth of objects and lists: a call tree of `result.json` has two levels for each
    /// frame.
    private static final int MAX_DEPTH = 500;

    /// Maximum number of names, values, begins and ends in one document. Each takes up to about 150
    /// bytes of memory as a node, and a document of 64 MiB could contain 30 million of them.
    private static final int MAX_TOKENS = 4_000_000;

    private static final int MAX_TEXT = 4 << 20;
    private static final int MAX_DIGITS = 1000;
    private static final int MAX_NAME = 50_000;

    private static final StreamReadConstraints LIMITS =
            StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxTokenCount(MAX_TOKENS)
                    .maxStringLength(MAX_TEXT)
                    .maxNumberLength(MAX_DIGITS)
                    .maxNameLength(MAX_NAME)
                    .build();

    private static final JsonMapper MAPPER =
            JsonMapper.builder(JsonFactory.builder().streamReadConstraints(LIMITS).build()).build();

    /// Without a limit on tokens: in one pass, the memory does not grow with their number.
    private static final JsonMapper IN_ONE_PASS =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            LIMITS.rebuild().maxTokenCount(Long.MAX_VALUE).build())
                                    .build())
                    .build();

    private ForeignJson() {}

    /// Parses one document.
    ///
    /// @throws Malformed when it is not JSON, or exceeds the limits
    public static JsonNode tree(byte[] content) throws Malformed {
        try {
            return MAPPER.readTree(content);
        } catch (JacksonException refused) {
            throw malformed(refused);
        }
    }

    /// Parses one document.
    ///
    /// @throws Malformed when it is not JSON, or exceeds the limits
    public static JsonNode tree(String content) throws Malformed {
        try {
            return MAPPER.readTree(content);
        } catch (JacksonException refused) {
            throw malformed(refused);
        }
    }

    /// A parser for a document that is too large for a tree. It throws {@link JacksonException}
    /// when the document is not JSON, or when one of its names or values exceeds the limits. The
    /// caller limits the length of the document.
    public static JsonParser parser(Reader document) {
        return IN_ONE_PASS.createParser(document);
    }

    /// Converts a parser's exception about untrusted data.
    public static Malformed malformed(JacksonException refused) {
        var at = refused.getLocation();
        return Malformed.at(
                at == null || at.getLineNr() < 1
                        ? OptionalInt.empty()
                        : OptionalInt.of(at.getLineNr()),
                "no JSON",
                Optional.ofNullable(refused.getOriginalMessage()),
                refused);
    }
}
