package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.experiment.labelled.KeptCase;
import dev.jdyno.judge.Judge;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.Printable;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.LambdaName;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.report.words.Figures;
import dev.jdyno.report.words.Highlights;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JSON, terminal and page of one result show the same figures. Each figure is taken from the JSON
/// and searched for in the two other forms.
class ThreeFormsTest {
    private static final int CHANGE_WIDTH = 44;
    private static final Pattern ROWS = Pattern.compile("<tr.*?</tr>", Pattern.DOTALL);
    private static final Pattern CHARTS =
            Pattern.compile(
                    "<figure data-chart=\"([^\"]*)\".*?<script type=\"application/json\">(.*?)</script>",
                    Pattern.DOTALL);
    private static final Pattern TAGS = Pattern.compile("<[^>]*>");

    private final TerminalReport plain = new TerminalReport(false);

    /// @param now the round at the reported load
    /// @param charts data of each chart by its name
    private record Forms(
            Optional<Round> now,
            RunResult result,
            JsonNode json,
            List<String> terminal,
            String page,
            List<String> rows,
            Map<String, JsonNode> charts) {
        JsonNode chart(String name) {
            return Objects.requireNonNull(charts.get(name), name);
        }
    }

    static Stream<KeptCase> kept() {
        return KeptCase.allIn(Path.of("../corpus/planted")).stream();
    }

    @ParameterizedTest
    @MethodSource("kept")
    void jsonTerminalAndPageShowTheSameFigures(KeptCase kept) {
        RunResult result =
                Judge.rankingBy(Recommendations.Aim.QPS)
                        .result(
                                new RunResult.About("0", "jdyno run", Instant.EPOCH, 60, "run"),
                                kept.recording());
        Forms forms = forms(result);
        verdict(forms);
        knee(forms);
        layers(forms);
        whatIfs(forms);
        recommendations(forms);
        validity(forms);
        load(forms);
    }

    @Test
    void formsAgreeOnTheLoadAndTheGcLog() {
        Forms forms = forms(LoadFixture.alone());

        assertThat(forms.terminal()).anyMatch(l -> l.startsWith("Load  "));
        assertThat(forms.terminal()).anyMatch(l -> l.startsWith("GC  "));
        load(forms);
        timeline(forms);
        gcLog(forms);
    }

    private Forms forms(RunResult result) {
        String html = HtmlReport.render(result, List.of());
        return new Forms(
                result.operatingPoint().map(OperatingPoint::round),
                result,
                JsonMapper.shared().readTree(ResultJson.toString(result)),
                plain.verdict(result, Optional.empty()).lines().toList(),
                text(html),
                ROWS.matcher(html).results().map(m -> text(m.group())).toList(),
                CHARTS.matcher(html)
                        .results()
                        .collect(
                                Collectors.toMap(
                                        m -> m.group(1),
                                        m -> JsonMapper.shared().readTree(m.group(2)))));
    }

    private static void load(Forms f) {
        List<String> figures = new ArrayList<>();
        List<JsonNode> ours =
                f.json().get("rounds").valueStream().filter(r -> !r.get("bytes").isNull()).toList();
        if (ours.stream().noneMatch(r -> r.at("/client/saturated").asBoolean())) {
            ours.stream()
                    .filter(r ->
                            f.now()
                                    .filter(now ->
                                            now.concurrency() != r.get("concurrency").asInt()
                                                    || now.qps() != r.get("qps").asDouble())
                                    .isEmpty())
                    .mapToDouble(r -> r.at("/client/busiestLoopPct").asDouble())
                    .max()
                    .ifPresent(pct -> figures.add("busiest loop at " + Figures.number(pct) + " %"));
        }
        if (!f.json().get("warmupS").isNull()) {
            figures.add("warm-up " + Figures.number(f.json().get("warmupS").asDouble()) + " s");
        }
        for (JsonNode address : f.json().at("/load/unanswered")) {
            figures.add(address.asString());
            f.json().at("/load/addresses").forEach(a -> figures.add(a.asString()));
        }
        String page = f.page().toLowerCase(Locale.ROOT);
        assertThat(figures).allMatch(page::contains);
        List<String> shown = f.terminal().stream().filter(l -> l.startsWith("Load  ")).toList();
        if (!shown.isEmpty()) {
            assertThat(figures)
                    .allMatch(figure -> shown.stream().anyMatch(l -> l.contains(figure)));
        }
    }

    /// Each point of the JSON timeline is a point of a chart on the page.
    private static void timeline(Forms f) {
        JsonNode points = f.json().at("/load/timeline");
        JsonNode qps = f.chart("throughput-over-time").at("/series/0/y");
        JsonNode p99 =
                f.chart("response-time-over-time")
                        .get("series")
                        .valueStream()
                        .filter(s -> s.get("name").asString().equals("p99"))
                        .findFirst()
                        .orElseThrow()
                        .get("y");
        List<Double> carried =
                points.valueStream()
                        .filter(p -> p.get("requests").asLong() >= 100)
                        .map(p -> p.at("/rtMs/p99").asDouble())
                        .toList();
        assertThat(qps.size()).isEqualTo(points.size());
        for (int i = 0; i < points.size(); i++) {
            JsonNode p = points.get(i);
            assertThat(qps.get(i).asDouble())
                    .isEqualTo(p.get("requests").asLong() / p.get("seconds").asDouble());
        }
        assertThat(p99.valueStream().map(JsonNode::asDouble)).containsExactlyElementsOf(carried);
        JsonNode highest = f.json().get("rounds").valueStream().toList().getLast();
        assertThat(
                        f.chart("latency-quantiles")
                                .at("/series/2/y")
                                .valueStream()
                                .map(JsonNode::asDouble))
                .containsExactlyElementsOf(
                        highest.at("/latencyCurve/quantiles")
                                .valueStream()
                                .filter(q -> q.get("share").asDouble() < 1)
                                .map(q -> q.get("ms").asDouble())
                                .toList());
    }

    private static void gcLog(Forms f) {
        JsonNode gc = f.json().get("gcLog");
        String line =
                f.terminal().stream().filter(l -> l.startsWith("GC  ")).findFirst().orElseThrow();
        List<String> figures =
                List.of(
                        gc.at("/pauses/count").asString(),
                        "longest " + Figures.number(gc.at("/pauses/max").asDouble()) + " ms",
                        " of " + Figures.number(gc.get("spanS").asDouble()) + " s");
        assertThat(figures).allMatch(f.page()::contains).allMatch(line::contains);
        for (JsonNode bin : gc.get("pauseBins")) {
            assertThat(f.rows())
                    .anyMatch(r ->
                            r.contains(Figures.number(bin.get("fromMs").asDouble()))
                                    && r.contains(bin.get("count").asString()));
        }
        long paused =
                gc.get("collections")
                        .valueStream()
                        .filter(c -> c.get("pauseMs").asDouble() > 0)
                        .count();
        assertThat(
                        f.chart("pauses")
                                .get("series")
                                .valueStream()
                                .mapToLong(s -> s.get("x").size())
                                .sum())
                .isEqualTo(paused);
    }

    private static void verdict(Forms f) {
        JsonNode verdict = f.json().get("verdict");
        String key = verdict.get("bottleneck").asString();
        String confidence =
                String.format(Locale.ROOT, "%.2f", verdict.get("confidence").asDouble());
        String heading =
                f.json().get("validity").get("ok").asBoolean()
                        ? "Bottleneck: "
                        : "Bottleneck, if the figures were valid: ";
        assertThat(f.terminal()).anyMatch(l -> l.startsWith(heading + key));
        assertThat(String.join("\n", f.terminal()).replaceAll("\\s+", " "))
                .contains("(confidence " + confidence + ")");
        assertThat(f.page()).contains(" " + key + " ", "confidence " + confidence);
        nextLimit(f, verdict.get("nextLimit"));
    }

    private static void nextLimit(Forms f, JsonNode next) {
        String terminal = String.join("\n", f.terminal()).replaceAll("\\s+", " ");
        if (next.isNull()) {
            assertThat(terminal + f.page()).doesNotContain("Two limits");
            return;
        }
        String second = "and " + next.get("bottleneck").asString();
        String gain = Figures.percent(next.get("gainOfFirst").asDouble());
        String limit = Figures.number(next.get("limitPerS").asDouble()) + "/s";
        boolean hasLimit = !next.get("way").asString().equals("share");
        assertThat(terminal).contains(second, gain).contains(hasLimit ? limit : gain);
        assertThat(f.page()).contains(second, gain).contains(hasLimit ? limit : gain);
    }

    private static void knee(Forms f) {
        JsonNode knee = f.json().get("knee");
        String line =
                f.terminal().stream().filter(l -> l.startsWith("Knee ")).findFirst().orElse("");
        assertThat(knee.isNull()).isEqualTo(line.isEmpty() || line.contains("not found"));
        if (!knee.isNull()) {
            String at =
                    knee.get("determinable").asBoolean()
                            ? Figures.inFlight(knee.get("concurrency").asDouble())
                            : "not determinable";
            assertThat(line).contains(at);
            assertThat(f.page().replace(" ", "")).contains("Knee:" + at.replace(" ", ""));
        }
    }

    private static void layers(Forms f) {
        int heading = indexOf(f.terminal(), "Layers disagree");
        for (JsonNode layer : f.json().get("layers")) {
            String name = layer.get("layer").asString();
            String atOnce = Figures.number(layer.get("atOnce").asDouble());
            boolean smallest = layer.get("smallest").asBoolean();
            assertThat(f.rows())
                    .anyMatch(r ->
                            r.contains(name)
                                    && r.contains(atOnce)
                                    && r.contains("smallest") == smallest);
            if (heading >= 0) {
                assertThat(f.terminal().subList(heading + 1, f.terminal().size()))
                        .anyMatch(l ->
                                l.contains(begin(Printable.plain(name).replace('\u00b7', 'x')))
                                        && l.contains(atOnce)
                                        && l.contains("smallest") == smallest);
            }
        }
    }

    private static void whatIfs(Forms f) {
        int heading = indexOf(f.terminal(), "What if");
        int shown = 0;
        List<WhatIf> all = Highlights.whatIfs(f.result());
        for (int i = 0; i < f.json().get("whatIf").size(); i++) {
            JsonNode expected = f.json().get("whatIf").get(i).get("expected");
            WhatIf row = f.result().whatIf().get(i);
            if (!all.contains(row)) {
                assertThat(
                                recommended(f, row)
                                        || Math.abs(
                                                        expected.get("qps").asDouble()
                                                                        / f.now()
                                                                                .orElseThrow()
                                                                                .qps()
                                                                - 1)
                                                < 0.03)
                        .isTrue();
                continue;
            }
            String change = Highlights.change(row, f.result().verdict());
            String rt = Figures.number(expected.get("rtMs").asDouble());
            String qps = Figures.number(expected.get("qps").asDouble());
            assertThat(f.rows())
                    .anyMatch(r -> r.contains(change) && r.contains(qps) && r.contains(rt));
            int next = heading + 1 + shown;
            String line = heading < 0 || next >= f.terminal().size() ? "" : f.terminal().get(next);
            if (line.startsWith("  ") && line.contains(begin(change))) {
                assertThat(line.substring(CHANGE_WIDTH)).contains(qps, rt);
                shown++;
            }
        }
        boolean leftOut =
                f.terminal().stream()
                        .anyMatch(l ->
                                l.startsWith("More in the report: ") && l.contains("what-ifs"));
        assertThat(shown > 0 || leftOut).isEqualTo(!all.isEmpty());
    }

    /// True if a recommendation with figures makes the same change as the what-if.
    private static boolean recommended(Forms f, WhatIf row) {
        return f.result().recommendations().stream()
                .filter(r -> r.expected().isPresent())
                .anyMatch(r -> row.change() instanceof StandardChange change && change.isMadeBy(r));
    }

    private static void recommendations(Forms f) {
        int heading = indexOf(f.terminal(), "Other recommendations");
        List<String> others =
                heading < 0
                        ? List.of()
                        : f.terminal().subList(heading + 1, f.terminal().size()).stream()
                                .takeWhile(l -> l.startsWith("  "))
                                .filter(l -> !l.startsWith("    "))
                                .toList();
        List<String> shown = new ArrayList<>();
        gain(f.terminal()).ifPresent(shown::add);
        var all = f.json().get("prescriptions");
        boolean measures =
                f.result().recommendations().stream()
                        .findFirst()
                        .filter(Recommendation::isMeasurement)
                        .isPresent();
        assertThat(shown.isEmpty()).isEqualTo(all.isEmpty() || measures);
        if (measures) {
            shown.add("");
        }
        shown.addAll(others);
        boolean leftOut =
                f.terminal().stream()
                        .anyMatch(l ->
                                l.startsWith("More in the report: ")
                                        && l.contains("recommendations"));
        assertThat(others.isEmpty()).isEqualTo(all.size() < 2 || leftOut);
        for (int i = 0; i < all.size(); i++) {
            JsonNode recommendation = all.get(i);
            String says = readable(recommendation);
            boolean ofRt = f.result().recommendations().get(i).isAboutResponseTime();
            JsonNode assumed = all.get(i).get("assumed");
            if (assumed.at("/repeats").asBoolean(false)) {
                twice(f, says, assumed, i < shown.size() ? shown.get(i) : "");
                continue;
            }
            Optional<ShownEnd> end = f.now().flatMap(now -> ShownEnd.of(recommendation, now));
            for (double ratio : ratios(all.get(i), ofRt ? Optional.empty() : f.now(), end)) {
                String figure = Figures.number(Figures.twoDigits(ratio));
                assertThat(f.rows()).anyMatch(r -> r.contains(begin(says)) && r.contains(figure));
                if (i > 0 && i < shown.size() && all.get(i).get("expected").isNull()) {
                    assertThat(shown.get(i)).contains("x" + figure);
                }
            }
            if (!all.get(i).get("expected").isNull()) {
                expected(
                        f,
                        says,
                        all.get(i).get("expected"),
                        end.orElseThrow(),
                        i < shown.size() ? shown.get(i) : "",
                        ofRt);
            }
        }
    }

    /// Joins the terminal's lines of the gain.
    private static Optional<String> gain(List<String> terminal) {
        int at = indexOf(terminal, "Gain ");
        return at < 0
                ? Optional.empty()
                : Optional.of(
                        terminal.get(at)
                                + terminal.subList(at + 1, terminal.size()).stream()
                                        .takeWhile(l -> l.startsWith("         "))
                                        .map(l -> " " + l.strip())
                                        .collect(Collectors.joining()));
    }

    /// If the predicted gain equals the assumed factor, the text says "up to twice" and names the
    /// next limit.
    private static void twice(Forms f, String says, JsonNode assumed, String shown) {
        List<String> words = new ArrayList<>(List.of("up to twice"));
        if (!assumed.get("nextLimitQps").isNull()) {
            words.add("about " + Figures.number(assumed.get("nextLimitQps").asDouble()));
        }
        assertThat(f.rows())
                .anyMatch(r -> r.contains(begin(says)) && words.stream().allMatch(r::contains));
        if (shown.startsWith("Gain ")) {
            assertThat(words).allMatch(shown::contains);
        } else if (!shown.isEmpty()) {
            assertThat(shown).contains("up to twice");
        }
    }

    /// Ratios of expected to present figures at one load. If no figures are expected, those of the
    /// predicted ones.
    ///
    /// @param reported empty if the figures are response times only, at another load
    /// @param end the end of the range that terminal and page show
    private static List<Double> ratios(
            JsonNode recommendation, Optional<Round> reported, Optional<ShownEnd> end) {
        JsonNode expected = recommendation.get("expected");
        if (expected.isNull() || reported.isEmpty() || end.isEmpty()) {
            return Stream.of("predictedQpsRatio", "predictedRtRatio")
                    .map(recommendation::get)
                    .filter(r -> !r.isNull())
                    .map(JsonNode::asDouble)
                    .filter(ratio -> expected.isNull() || ratio != 1)
                    .toList();
        }
        Round now = reported.orElseThrow();
        return List.of(end.get().qps() / now.qps(), end.get().rtMs() / now.rtMs().mean());
    }

    /// @param shown the terminal's line of the recommendation; empty if it has none
    private static void expected(
            Forms f, String says, JsonNode expected, ShownEnd end, String shown, boolean ofRt) {
        String qps = ofRt ? "at N=" + expected.get("atConcurrency").asInt() : end.qpsInTable();
        String rt = end.rtInTable();
        if (!ofRt) {
            assertThat(
                            Stream.concat(
                                            Stream.of(expected.get("qps")),
                                            expected.get("ci95").valueStream())
                                    .mapToDouble(JsonNode::asDouble))
                    .contains(end.qps());
        }
        assertThat(f.rows())
                .anyMatch(r -> r.contains(begin(says)) && r.contains(qps) && r.contains(rt));
        if (shown.startsWith("Gain ") && !ofRt) {
            assertThat(shown).contains(end.inGain(), Figures.number(end.qps()) + "/s");
        } else if (!shown.isEmpty()) {
            assertThat(shown).contains(qps, rt);
        }
    }

    private static void validity(Forms f) {
        boolean ok = f.json().get("validity").get("ok").asBoolean();
        assertThat(f.page().contains("if these figures held")).isEqualTo(!ok);
    }

    /// The sentence of a recommendation. A lambda in it is named by its enclosing method.
    private static String readable(JsonNode recommendation) {
        List<Sentence.Name> names =
                recommendation
                        .get("names")
                        .valueStream()
                        .map(n -> new Sentence.Name(n.get("name").asString(), n.get("at").asInt()))
                        .toList();
        return new Sentence(recommendation.get("says").asString(), names)
                .worded(LambdaName::readable);
    }

    /// The beginning of a text, because the terminal truncates long texts.
    private static String begin(String text) {
        return text.substring(0, Math.min(30, text.length()));
    }

    private static int indexOf(List<String> lines, String heading) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(heading)) {
                return i;
            }
        }
        return -1;
    }

    private static String text(String html) {
        return TAGS.matcher(html)
                .replaceAll(" ")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&")
                .replaceAll("\\s+", " ");
    }
}
