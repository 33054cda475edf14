package dev.jdyno;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Comments, texts and identifiers of the main sources keep to plain English, and so do the names
/// of tests. Covers every module.
class PlainEnglishTest {
    /// Maximum number of words of a sentence in a comment. The aim is 25.
    private static final int MAX_WORDS = 30;

    private static final Pattern TOKEN =
            Pattern.compile(
                    "\"\"\".*?(?<!\\\\)\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)+'"
                            + "|//[^\\n]*(?:\\n[ \\t]*//[^\\n]*)*|/\\*.*?\\*/",
                    Pattern.DOTALL);

    /// Quoted code and links in a comment.
    private static final Pattern QUOTED =
            Pattern.compile("`[^`]*`|\\{@\\w+ [^}]*\\}|\\[[^\\]]*\\]");

    /// Each of these tags begins a sentence.
    private static final Pattern TAG = Pattern.compile("@(?:param|throws) \\w+|@return");

    /// Words that replace a noun as the subject, and words that are not terms of the field.
    private static final Pattern WORDS =
            Pattern.compile(
                    "\\b(?:whoever|whosoever|nobody|somebody|told|untold|foretold|foretells?|amiss"
                            + "|hardly|those who|what those|no news|crowd(?:ed|s)?|census|anatomy"
                            + "|prescriptions?|cure[sd]?|mend(?:s|ed)?|dear(?:er|est)?|lone)\\b",
                    Pattern.CASE_INSENSITIVE);

    /// The words of {@link #WORDS} as parts of identifiers. `MOST_` and `LEAST_` are `MAX_` and
    /// `MIN_`.
    private static final Pattern PARTS =
            Pattern.compile(
                    "^(?:whoever|nobody|somebody|told|tells?|untold|foretold|foretell|amiss|hardly"
                            + "|crowd|crowded|census|anatomy|anatomies|prescriptions?|cures?|mend"
                            + "|mended|dear|dearer|lone|said|looker)$");

    /// Beginnings of test names without a noun as the subject, and words that are not terms of the
    /// field.
    private static final Pattern TEST_NAME =
            Pattern.compile(
                    "^(?:what(?!If)|whose|whoever|who|so|it|they|of|nobody|somebody)(?=[A-Z])"
                            + "|(?:Whoever|Nobody|Somebody|Told|Foretold|Foretells|Said|Says?"
                            + "|OneThat|Cure[ds]?|Mend(?:s|ed)?|Census|Anatomy|UsedUp|Crowd(?:ed)?"
                            + "|Beside|Hardly|Dear|Anew|Amiss|TakenFor|[EF][0-9]+)(?![a-z])"
                            + "|(?:Is|Are|Does|Do)(?:Not|None)$");

    private static final Pattern TEST =
            Pattern.compile(
                    "@(?:Parameterized|Repeated)?Test\\b.*?\\bvoid\\s+(\\w+)\\("
                            + "|@TestFactory\\b.*?\\s(\\w+)\\(\\)",
                    Pattern.DOTALL);

    private static final Pattern OLD_LIMIT = Pattern.compile("^(?:MOST|LEAST)(?:_[A-Z0-9_]+)?$");
    private static final Pattern IDENTIFIER = Pattern.compile("\\b[A-Za-z_]\\w*\\b");
    private static final Pattern PART = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");
    private static final Pattern SENTENCE_END =
            Pattern.compile("[.:;](?=\\s|$)|@\\w+|\\s[-|](?=\\s)");

    /// Identifiers that are JSON keys, keys of stored files, ids of figures or doubts, or their
    /// readers. This list may only shrink.
    private static final Set<String> KEPT_IDENTIFIERS =
            Set.of(
                    "CROWDED",
                    "LONE_REQUEST",
                    "LONE_REQUEST_PART",
                    "anatomy",
                    "census",
                    "dearPatterns",
                    "prescriptions",
                    "said");

    /// Printed texts that still contain such words, each by a part of it. This list may only
    /// shrink.
    private static final List<String> KEPT_TEXTS =
            List.of("read -r told && exit", "\" census\"", "id state says mend=fix");

    @Test
    void commentsArePlain() throws IOException {
        assertThat(found(PlainEnglishTest::inComments)).isEmpty();
    }

    @Test
    void sentencesOfCommentsAreShort() throws IOException {
        assertThat(found(PlainEnglishTest::longSentences)).isEmpty();
    }

    @Test
    void textsArePlain() throws IOException {
        List<String> all = found(PlainEnglishTest::inTexts);
        assertThat(all).filteredOn(f -> KEPT_TEXTS.stream().noneMatch(f::contains)).isEmpty();
        assertThat(KEPT_TEXTS)
                .as("exceptions that are not needed")
                .allMatch(kept -> all.stream().anyMatch(f -> f.contains(kept)));
    }

    @Test
    void identifiersArePlain() throws IOException {
        var all = new TreeMap<String, Path>();
        for (Path file : sources("main")) {
            for (String name : inIdentifiers(Files.readString(file))) {
                all.putIfAbsent(name, file);
            }
        }
        var kept = new TreeSet<>(KEPT_IDENTIFIERS);
        kept.removeAll(all.keySet());
        assertThat(kept).as("exceptions that are not needed").isEmpty();
        all.keySet().removeAll(KEPT_IDENTIFIERS);
        assertThat(all).isEmpty();
    }

    @Test
    void testNamesArePlain() throws IOException {
        List<String> all = new ArrayList<>();
        for (Path file : sources("test")) {
            inTestNames(Files.readString(file)).forEach(name -> all.add(file + ": " + name));
        }
        assertThat(all).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/// Whoever waits here.",
                "// nobody is told",
                "/* What those do who wait. */",
                "/// Not `told`, but foretold."
            })
    void findsWordsInComments(String source) {
        assertThat(inComments(source)).hasSize(source.contains("nobody") ? 2 : 1);
        assertThat(inTexts(source)).isEmpty();
        assertThat(inIdentifiers(source)).isEmpty();
        assertThat(inComments("/// The thread that waits; see `nobody` and {@link Told#told}."))
                .isEmpty();
    }

    @Test
    void findsWordsInTexts() {
        assertThat(inTexts("say(\"for whoever reads\", 1);")).hasSize(1);
        assertThat(inTexts("say(\"for the\" + \"\"\"\n a crowd of \\\"users\\\"\n \"\"\");"))
                .hasSize(1);
        assertThat(inTexts("keys(\"crowded\", \"lone-request\", '\"'); // told")).isEmpty();
    }

    @Test
    void findsPartsOfIdentifiers() {
        String source =
                "int MOST_BYTES = 1, LEAST = 2; boolean isCrowded() { untold.x(\"told\"); }";
        assertThat(inIdentifiers(source))
                .containsExactlyInAnyOrder("MOST_BYTES", "LEAST", "isCrowded", "untold");
        assertThat(inIdentifiers("int MAX_BYTES; void mender(Almost atMost) {}")).isEmpty();
    }

    @Test
    void findsLongSentences() {
        String words = "word ".repeat(MAX_WORDS);
        assertThat(longSentences("/// " + words + "\n    /// word.")).hasSize(1);
        assertThat(longSentences("/// " + words + ". " + words + "\n")).isEmpty();
        assertThat(longSentences("/// " + words + "\nint x;\n/// " + words)).isEmpty();
    }

    @Test
    void findsTestNames() {
        String bad =
                "@Test void whatIsFullWaits() {} @Test void aFileThatOthersCanReadIsNot() {}"
                        + "@ParameterizedTest @ValueSource(ints = {1, 2}) void theLimitOfE6(int n) {}";
        assertThat(inTestNames(bad)).hasSize(3);
        String good =
                "@Test void whatIfStaysWithinItsBound() {} void whatIsNoTest() {}"
                        + "@Test void soldOutItemsAreRefused() {}";
        assertThat(inTestNames(good)).isEmpty();
    }

    private static List<String> inComments(String source) {
        return comments(source)
                .flatMap(c -> WORDS.matcher(c).results().map(MatchResult::group))
                .toList();
    }

    private static List<String> inTexts(String source) {
        return tokens(source)
                .filter(t -> t.startsWith("\"") && t.contains(" "))
                .filter(t -> WORDS.matcher(t).find())
                .toList();
    }

    private static Set<String> inIdentifiers(String source) {
        String code = TOKEN.matcher(source).replaceAll(" ");
        return IDENTIFIER
                .matcher(code)
                .results()
                .map(MatchResult::group)
                .filter(name ->
                        OLD_LIMIT.matcher(name).matches()
                                || PART.matcher(name).results().anyMatch(p -> isOld(p.group())))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> inTestNames(String source) {
        return TEST.matcher(TOKEN.matcher(source).replaceAll(" "))
                .results()
                .map(m -> m.group(1) == null ? m.group(2) : m.group(1))
                .filter(name -> TEST_NAME.matcher(name).find())
                .toList();
    }

    private static boolean isOld(String part) {
        return PARTS.matcher(part.toLowerCase(Locale.ROOT)).matches();
    }

    private static List<String> longSentences(String source) {
        return comments(source)
                .flatMap(SENTENCE_END::splitAsStream)
                .filter(s -> s.strip().split("\\s+").length > MAX_WORDS)
                .map(String::strip)
                .toList();
    }

    /// The text of each comment block, without comment marks and quoted code. Indented lines are
    /// code.
    private static Stream<String> comments(String source) {
        return tokens(source)
                .filter(t -> t.startsWith("/"))
                .map(t -> t.replaceAll("(?m)^\\s*/// {5}.*$", "."))
                .map(t -> QUOTED.matcher(t).replaceAll("x"))
                .map(t -> TAG.matcher(t).replaceAll(". "))
                .map(t -> t.replaceAll("(?m)^\\s*(?:/{2,3}|/?\\*+/?)", ""));
    }

    private static Stream<String> tokens(String source) {
        return TOKEN.matcher(source).results().map(MatchResult::group);
    }

    private interface Search {
        List<String> in(String source);
    }

    private static List<String> found(Search search) throws IOException {
        List<String> all = new ArrayList<>();
        for (Path file : sources("main")) {
            search.in(Files.readString(file)).forEach(f -> all.add(file + ": " + f.strip()));
        }
        return all;
    }

    private static List<Path> sources(String set) throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : Modules.all()) {
            Path java = Path.of("..", module, "src", set, "java");
            if (!Files.isDirectory(java)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(java)) {
                files.filter(f -> f.toString().endsWith(".java")).forEach(all::add);
            }
        }
        return all;
    }
}
