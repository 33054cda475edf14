package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Compared;
import dev.jdyno.compare.Difference;
import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Metric;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.report.html.ComparePage;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.words.TextLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompareReportTest {
    private static final String HOSTILE = "<b>|\u001b[2J`x`";

    private static Compared.Row row(
            Metric metric, double a, double b, double lo, double hi, Outcome outcome) {
        return new Compared.Row(
                metric,
                OptionalDouble.of(a),
                OptionalDouble.of(b),
                Optional.of(new Effect(b / a, new Interval(lo, hi), Optional.of(0.01), 4)),
                outcome,
                List.of(b / a * 0.99, b / a * 1.01),
                List.of(new Compared.Blocks(List.of(a, a), List.of(b * 0.99, b * 1.01))));
    }

    private static TargetFacts jvm(String... flags) {
        return new TargetFacts(
                Optional.of(1L),
                Optional.empty(),
                Optional.of("25.0.3"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(flags),
                2,
                false,
                List.of(),
                List.of());
    }

    private static Compared faster() {
        return new Compared(
                Outcome.BETTER,
                Metric.QPS,
                List.of(
                        row(Metric.QPS, 1000, 1200, 1.15, 1.25, Outcome.BETTER),
                        new Compared.Row(
                                Metric.P99,
                                OptionalDouble.of(12.25),
                                OptionalDouble.empty(),
                                Optional.empty(),
                                Outcome.INCONCLUSIVE,
                                List.of(),
                                List.of()),
                        row(Metric.CPU, 2, 1.5, 0.7, 0.8, Outcome.BETTER),
                        row(Metric.ALLOCATION, 2048, 4096, 1.9, 2.1, Outcome.WORSE)),
                4,
                8,
                1,
                16,
                500,
                Optional.empty(),
                132,
                Optional.empty(),
                true,
                0.03,
                Optional.of(jvm("-Xmx1g")),
                Optional.of(jvm("-Xmx1g", "-XX:+UseParallelGC")),
                Optional.empty(),
                List.of(new Note.Failed(HOSTILE, "a reason")),
                false);
    }

    private static Compared ofAnotherJdk() {
        Compared f = faster();
        var b =
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.of("17.0.9"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        2,
                        false,
                        List.of(),
                        List.of());
        return new Compared(
                f.verdict(),
                f.primary(),
                f.rows(),
                f.starts(),
                f.pairs(),
                f.discarded(),
                f.concurrency(),
                f.ratePerS(),
                f.goalMs(),
                f.seconds(),
                f.secondsToDecide(),
                f.restarted(),
                f.minEffect(),
                f.factsA(),
                Optional.of(b),
                f.difference(),
                f.notes(),
                f.partial());
    }

    @Test
    void firstLinesNameDifferentJdks() {
        for (String text :
                List.of(
                        CompareReport.terminal(ofAnotherJdk()),
                        CompareReport.markdown(ofAnotherJdk()))) {
            assertThat(text.lines().limit(4))
                    .anyMatch(l -> l.matches(".*25\\.0\\.3.*17\\.0\\.9.*"));
        }
        assertThat(CompareReport.terminal(faster()).lines().limit(4))
                .noneMatch(l -> l.contains("25.0.3"));
    }

    private static Compared undecided() {
        Compared f = faster();
        return new Compared(
                Outcome.INCONCLUSIVE,
                Metric.QPS,
                List.of(row(Metric.QPS, 1000, 1010, 0.9, 1.13, Outcome.INCONCLUSIVE)),
                3,
                6,
                0,
                16,
                500,
                Optional.empty(),
                100,
                Optional.of(413.0),
                false,
                0.03,
                f.factsA(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                true);
    }

    private static Compared lookedInto() {
        var get = new Difference.Flame("com.acme.<b>.get", 2, 3, true, List.of());
        var same = new Difference.Flame("java.lang.X.y", 1, 1, false, List.of());
        var gone = new Difference.Flame("com.acme.Less.y", 2, 1, true, List.of());
        return faster().with(
                        new Difference(
                                Optional.of(
                                        new Difference.Breakdowns(
                                                7,
                                                9,
                                                List.of(
                                                        new Difference.Part(
                                                                Optional.of(Cause.LOCK), 1, 4),
                                                        new Difference.Part(
                                                                Optional.empty(), 6, 5)))),
                                List.of(
                                        new Difference.Method(
                                                "com.acme.<b>.get", "java.lang.X.y", 2, 3)),
                                Optional.of(
                                        new Difference.Flame(
                                                "all", 5, 5, false, List.of(get, same, gone)))));
    }

    @Test
    void reasonsNameMethodAndDocumentHasItsFacts() {
        JsonNode json = JsonMapper.shared().readTree(CompareReport.json(lookedInto()));

        assertThat(json.get("where").size()).isEqualTo(3);
        assertThat(json.get("where").toString()).contains("com.acme.");
        JsonNode method = json.get("difference").get("methods").get(0);
        assertThat(method.get("application").asString()).isEqualTo("com.acme.<b>.get");
        assertThat(method.get("frame").asString()).isEqualTo("java.lang.X.y");
        assertThat(method.get("aMs").asDouble()).isEqualTo(2);
        assertThat(method.get("bMs").asDouble()).isEqualTo(3);
        JsonNode lock = json.get("difference").get("breakdown").get(0);
        assertThat(lock.get("cause").asString()).isEqualTo("lock");
        assertThat(lock.get("bMs").asDouble()).isEqualTo(4);
        assertThat(
                        JsonMapper.shared()
                                .readTree(CompareReport.json(faster()))
                                .get("difference")
                                .isNull())
                .isTrue();
    }

    @Test
    void pageHasBothBreakdownsAndDifferenceFlameGraph() {
        String page = HtmlReport.render(new ComparePage(lookedInto(), "1"));

        assertThat(page)
                .contains("class=\"d-grew-3\"", "class=\"d-shrank-3\"", "class=\"d-same\"")
                .contains("width: 60.00%")
                .contains("k-lock", "k-unexplained")
                .doesNotContain("<b>.get");
        assertThat(HtmlReport.render(new ComparePage(faster(), "1")))
                .doesNotContain("Differential flame graph");
    }

    @Test
    void theTerminalShowsAllFiguresInWidth() {
        for (Compared c : List.of(faster(), undecided(), lookedInto())) {
            String text = CompareReport.terminal(c);

            assertThat(text.lines()).allMatch(l -> l.length() <= TextLines.WIDTH);
            assertThat(text).doesNotContain("\u001b");
            for (Compared.Row r : c.rows()) {
                assertThat(text.lines())
                        .anyMatch(l ->
                                l.startsWith(r.metric().title()) && l.endsWith(r.outcome().key()));
            }
        }
    }

    @Test
    void listsLargestDifferenceFirstAndFlagsLast() {
        String text = CompareReport.terminal(faster());

        assertThat(text.indexOf("allocation per request: "))
                .isPositive()
                .isLessThan(text.indexOf("CPU per request: "));
        assertThat(text).contains("-XX:+UseParallelGC");
    }

    @Test
    void roundsTimeNeededForDecision() {
        assertThat(CompareReport.terminal(undecided())).contains("6m 50s");
    }

    @Test
    void pullRequestCommentHasTableWithEscapedText() {
        String text = CompareReport.markdown(faster());

        assertThat(text.lines().filter(l -> l.startsWith("|")).count()).isEqualTo(2 + 4);
        assertThat(text).contains("\\<b\\>\\|").doesNotContain("<b>").doesNotContain("\u001b");
    }

    private static Document xml(Compared c) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(
                        new ByteArrayInputStream(
                                CompareReport.junit(c, HOSTILE).getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> attributes(Document xml, String... names) {
        Element suite = xml.getDocumentElement();
        return Stream.of(names).map(suite::getAttribute).toList();
    }

    @Test
    void junitReportFailsOnlyByVerdict() throws Exception {
        Document better = xml(faster());
        // allocation is worse and p99 is undecided, but the verdict is about neither
        assertThat(attributes(better, "tests", "failures", "skipped"))
                .containsExactly("5", "0", "2");

        Document worse =
                xml(
                        new Compared(
                                Outcome.WORSE,
                                Metric.QPS,
                                List.of(row(Metric.QPS, 1000, 900, 0.85, 0.95, Outcome.WORSE)),
                                4,
                                8,
                                0,
                                16,
                                500,
                                Optional.empty(),
                                132,
                                Optional.empty(),
                                true,
                                0.03,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                false));
        assertThat(attributes(worse, "tests", "failures", "skipped"))
                .containsExactly("2", "1", "1");
        var failed = (Element) worse.getElementsByTagName("failure").item(0);
        assertThat(((Element) failed.getParentNode()).getAttribute("name")).isEqualTo("verdict");

        assertThat(attributes(xml(undecided()), "tests", "failures", "skipped"))
                .containsExactly("2", "0", "2");
    }

    @Test
    void theDocumentHasTheKeysOfTheContract() throws IOException {
        Golden.assertMatches("documents/compare.json", CompareReport.json(lookedInto()));
        Golden.assertMatches("documents/compare-undecided.json", CompareReport.json(undecided()));
        JsonNode json = JsonMapper.shared().readTree(CompareReport.json(faster()));

        assertThat(json.get("schema").asString()).isEqualTo("jdyno/compare/1");
        assertThat(json.get("verdict").asString()).isEqualTo("better");
        assertThat(json.get("primary").asString()).isEqualTo("qps");
        assertThat(json.get("starts").asInt()).isEqualTo(4);
        assertThat(json.get("pairs").asInt()).isEqualTo(8);
        assertThat(json.get("discarded").asInt()).isEqualTo(1);
        assertThat(json.get("where").size()).isEqualTo(3);
        JsonNode qps = json.get("metrics").get(0);
        assertThat(qps.get("ratio").asDouble()).isEqualTo(1.2);
        assertThat(qps.get("ci95").get(0).asDouble()).isEqualTo(1.15);
        assertThat(qps.get("a").asDouble()).isEqualTo(1000);
        JsonNode p99 = json.get("metrics").get(1);
        assertThat(p99.get("b").isNull()).isTrue();
        assertThat(p99.get("ratio").isNull()).isTrue();
        assertThat(json.get("validity").get("ok").asBoolean()).isTrue();
        assertThat(json.get("secondsToDecide").isNull()).isTrue();
    }

    @Test
    void pageShowsEachStartWithEscapedText() {
        for (Compared c : List.of(faster(), undecided(), lookedInto())) {
            String page = HtmlReport.render(new ComparePage(c, "1"));

            long dots = page.lines().mapToLong(l -> l.split("<circle", -1).length - 1).sum();
            assertThat(dots).isEqualTo(c.rows().stream().mapToInt(r -> r.ratios().size()).sum());
            assertThat(page).contains(c.verdict().key()).doesNotContain("<b>|");
        }
    }
}
