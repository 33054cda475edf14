package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Effect;
import dev.jdyno.compare.Note;
import dev.jdyno.compare.Outcome;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.html.WarmPage;
import dev.jdyno.report.json.JsonDocument;
import dev.jdyno.report.words.WarmText;
import dev.jdyno.trial.ColdStart.Curve;
import dev.jdyno.trial.ColdStart.Second;
import dev.jdyno.warm.StartFigures;
import dev.jdyno.warm.WarmSettings;
import dev.jdyno.warm.Warmed;
import dev.jdyno.warm.Warmed.Tried;
import dev.jdyno.warm.Way;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WarmReportTest {
    private static final String HOSTILE = "<script>alert(1)</script>";

    private static Warmed.Starts starts(double firstS, Optional<Double> to90) {
        List<Second> seconds =
                IntStream.range(0, 10)
                        .mapToObj(i ->
                                new Second(
                                        firstS + i + 1,
                                        1,
                                        30 + 5.0 * i,
                                        20,
                                        0,
                                        3,
                                        Optional.of(9 - i)))
                        .toList();
        return new Warmed.Starts(
                List.of(new Curve(firstS, firstS, seconds, Optional.of(155.0), Optional.empty())),
                List.of(new StartFigures(firstS, firstS, to90, Optional.empty(), 21.5, 30)));
    }

    private static Warmed result() {
        return result(
                new Tried.Not(Way.AOT, HOSTILE),
                new Tried.Measured(
                        Way.CDS,
                        starts(6.5, Optional.empty()),
                        Effect.ofStarts(List.of(-0.30, -0.35, -0.32), 0.05),
                        Optional.empty(),
                        Optional.empty(),
                        Outcome.BETTER,
                        1.01));
    }

    private static Tried better(Way way) {
        return new Tried.Measured(
                way,
                starts(6.5, Optional.empty()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Outcome.BETTER,
                0.7);
    }

    private static Warmed result(Tried... tried) {
        return new Warmed(
                "shop",
                new WarmSettings(
                        100,
                        Duration.ofSeconds(40),
                        3,
                        Duration.ofMinutes(30),
                        Optional.of(500.0),
                        List.of(Way.AOT, Way.CDS)),
                155,
                Optional.of(62.5),
                starts(9.25, Optional.of(33.75)),
                List.of(tried),
                612,
                List.of(new Note.Failed("a note", "a reason")),
                true);
    }

    @Test
    void terminalShowsFiguresMethodsPlateauAndMissingParts() {
        String text = WarmReport.terminal(result());

        assertThat(text.lines().allMatch(l -> l.length() <= 100)).isTrue();
        assertThat(text)
                .contains("PARTIAL", "9.25", "33.8", "62.5", "155", "0.724", "a note", HOSTILE);
    }

    /// A bound is marked as such, and never stands next to a recommended method.
    @Test
    void methodThatIsABoundIsNoRecommendation() {
        String alone = WarmText.verdict(result(better(Way.C1)));
        String beside = WarmText.verdict(result(better(Way.C1), better(Way.CDS)));

        assertThat(alone).contains("c1", "not recommended");
        assertThat(beside).contains("cds").doesNotContain("c1");
    }

    @Test
    void terminalAndPageHaveTheSameRows() {
        var rows = new WarmPage(result(), "1").rows();
        String terminal = WarmReport.terminal(result());

        assertThat(rows).extracting(WarmText.Row::name).containsExactly("baseline", "aot", "cds");
        assertThat(terminal)
                .contains(rows.getFirst().first(), rows.getLast().lost(), rows.getLast().ratio());
    }

    @Test
    void theDocumentHasEachStartWithItsCurve() {
        var document = JsonDocument.tree(result());

        assertThat(document.get("schema").asString()).isEqualTo("jdyno/warm/1");
        assertThat(document.get("partial").asBoolean()).isTrue();
        assertThat(document.get("plateauQps").asDouble()).isEqualTo(62.5);
        assertThat(document.get("starts").get(0).get("figures").get("to90S").asDouble())
                .isEqualTo(33.75);
        assertThat(document.get("starts").get(0).get("curve")).hasSize(10);
        assertThat(document.get("tried").get(0).get("outcome").isNull()).isTrue();
        assertThat(document.get("tried").get(1).get("outcome").asString()).isEqualTo("better");
        assertThat(document.get("tried").get(1).get("lost").get("ci95")).hasSize(2);
    }

    @Test
    void pageDrawsCurveAndEscapesForeignText() {
        String page = HtmlReport.render(new WarmPage(result(), "1"));

        assertThat(page).contains("data-chart=\"warm\"", "first answer: 9.25 s");
        assertThat(page).doesNotContain(HOSTILE);
    }
}
