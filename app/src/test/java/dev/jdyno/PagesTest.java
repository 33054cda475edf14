package dev.jdyno;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pages that people read: README and docs, in English and in Chinese.
class PagesTest {
    private static final Path ROOT = Path.of("..");

    /// Longer pages are split by task.
    private static final int MAX_LINES = 250;

    /// Number of lines from the top of a page within which its main command must stand.
    private static final int COMMAND_WITHIN = 20;

    /// Pages that define terms or list pages, and therefore need no command.
    private static final Set<String> WITHOUT_COMMAND = Set.of("glossary.md");

    private static final Pattern HEADING = Pattern.compile("(#+) (.*)");
    private static final Pattern LINK =
            Pattern.compile("\\]\\((?![a-z]+:)([^)\\s#]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern COMMAND =
            Pattern.compile("(?:\\./jdyno|\\./mvnw|jdyno|tar|git) .*");
    private static final Pattern REMARK = Pattern.compile("\\s+# .*");

    /// @param text lines outside of fenced code blocks
    /// @param code lines inside of fenced code blocks
    /// @param firstCode number of the line that opens the first code block, from 1; 0 if the page
    ///   has none
    private record Page(Path path, int lines, List<String> text, List<String> code, int firstCode) {
        static Page of(Path path) throws IOException {
            List<String> all = Files.readAllLines(path);
            List<String> text = new ArrayList<>();
            List<String> code = new ArrayList<>();
            int first = 0;
            boolean inside = false;
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i).strip().startsWith("```")) {
                    inside = !inside;
                    first = first == 0 ? i + 1 : first;
                } else {
                    (inside ? code : text).add(all.get(i));
                }
            }
            return new Page(path, all.size(), text, code, first);
        }

        private Stream<Matcher> headings() {
            return text.stream().map(HEADING::matcher).filter(Matcher::matches);
        }

        List<Integer> levels() {
            return headings().map(m -> m.group(1).length()).toList();
        }

        List<String> commands() {
            return code.stream()
                    .filter(line -> COMMAND.matcher(line).matches())
                    .map(line -> REMARK.matcher(line).replaceFirst(""))
                    .toList();
        }

        long tableRows() {
            return text.stream().filter(line -> line.startsWith("|")).count();
        }

        /// The anchors that GitHub makes from the headings.
        List<String> anchors() {
            Map<String, Integer> seen = new HashMap<>();
            return headings()
                    .map(m -> m.group(2).replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").strip())
                    .map(h -> h.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", ""))
                    .map(h -> h.replace(' ', '-'))
                    .map(h ->
                            h + (seen.merge(h, 1, Integer::sum) > 1 ? "-" + (seen.get(h) - 1) : ""))
                    .toList();
        }
    }

    private static List<Page> pages() throws IOException {
        List<Page> pages = new ArrayList<>();
        for (Path folder : List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("docs/adr"))) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(f -> f.toString().endsWith(".md")).toList()) {
                    pages.add(Page.of(file));
                }
            }
        }
        return pages;
    }

    @ParameterizedTest
    @CsvSource({"README.md, README.zh-CN.md", "docs/tutorial.md, docs/tutorial.zh-CN.md"})
    void chinesePageHasTheSameHeadingsTablesAndCommands(String english, String chinese)
            throws IOException {
        Page one = Page.of(ROOT.resolve(english));
        Page other = Page.of(ROOT.resolve(chinese));

        assertThat(one.commands()).isNotEmpty();
        assertThat(other.commands()).containsExactlyElementsOf(one.commands());
        assertThat(other.levels()).containsExactlyElementsOf(one.levels());
        assertThat(other.tableRows()).isEqualTo(one.tableRows());
        assertThat(other.code()).hasSameSizeAs(one.code());
    }

    @Test
    void noPageIsTooLong() throws IOException {
        assertThat(pages())
                .filteredOn(page -> !page.path().endsWith("CHANGELOG.md"))
                .allSatisfy(page ->
                        assertThat(page.lines())
                                .as(page.path().toString())
                                .isLessThanOrEqualTo(MAX_LINES));
    }

    @Test
    void everyPageBeginsWithACommand() throws IOException {
        assertThat(pages())
                .filteredOn(page -> page.path().getParent().endsWith("docs"))
                .filteredOn(page -> !WITHOUT_COMMAND.contains(page.path().getFileName().toString()))
                .isNotEmpty()
                .allSatisfy(page ->
                        assertThat(page.firstCode())
                                .as(page.path().toString())
                                .isBetween(1, COMMAND_WITHIN));
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> lost = new ArrayList<>();
        int links = 0;
        for (Page page : pages()) {
            for (String line : page.text()) {
                Matcher link = LINK.matcher(line);
                while (link.find()) {
                    links++;
                    if (!leads(page, link.group(1), link.group(2))) {
                        lost.add(page.path() + ": " + link.group());
                    }
                }
            }
        }
        assertThat(links).isGreaterThan(100);
        assertThat(lost).isEmpty();
    }

    private static boolean leads(Page from, String path, String anchor) throws IOException {
        Path to = path.isEmpty() ? from.path() : from.path().resolveSibling(path);
        if (!Files.exists(to)) {
            return false;
        }
        return anchor == null
                || !to.toString().endsWith(".md")
                || Page.of(to).anchors().contains(anchor);
    }
}
