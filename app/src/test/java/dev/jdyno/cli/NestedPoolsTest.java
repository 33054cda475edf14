package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Insight.Grown;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.report.ShownEnd;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.html.ResultPage;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import dev.jdyno.report.words.Figures;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A kept run of a third-party service. Each request waits for a task of `render` (8 threads),
/// which waits for four tasks of `tile` (3 threads), each a call of 5 ms.
class NestedPoolsTest {
    private static RunResult judged;

    @BeforeAll
    static void judge() throws IOException {
        judged = Corpus.judged("contact-sheet", Corpus.other("contact-sheet"));
    }

    @Test
    void thePoolAtTheEndOfTheChainLimits() {
        assertThat(judged.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(judged.verdict().where()).isEqualTo("tile");
    }

    @Test
    void recommendsThreadsOfInnerPoolFirst() {
        Recommendation first = judged.recommendations().getFirst();
        double now = judged.operatingPoint().map(OperatingPoint::round).orElseThrow().qps();
        Expected expected = first.expected().orElseThrow();

        assertThat(first.changes())
                .singleElement()
                .isInstanceOfSatisfying(
                        Change.PoolSize.class, c -> assertThat(c.name()).isEqualTo("tile"));
        // upper bounds are Little's law (F2), the 8 threads of `render` and the time of a single
        // response
        assertThat(expected.qps() / now).isBetween(4.0, 6.0);
        assertThat(expected.qps() * expected.rtMs() / 1000)
                .isCloseTo(expected.atConcurrency(), within(0.1 * expected.atConcurrency()));
    }

    @Test
    void reportedPlacesAreMethodsWithoutNativeCode() {
        assertThat(judged.recording().insight().grown())
                .extracting(Grown::method)
                .isNotEmpty()
                .noneMatch(Profile::isNative);
    }

    /// The ratio in brackets on the page belongs to the figures in JSON and terminal.
    @Test
    void allFormsGiveTheSameRatio() {
        var page = new ResultPage(judged, List.of());
        String html = HtmlReport.render(judged, List.of());
        JsonNode json = JsonMapper.shared().readTree(ResultJson.toString(judged));
        String terminal = new TerminalReport(false).verdict(judged, Optional.empty());
        Round now = judged.operatingPoint().map(OperatingPoint::round).orElseThrow();
        for (int i = 0; i < judged.recommendations().size(); i++) {
            ShownEnd end = ShownEnd.of(json.at("/prescriptions/" + i), now).orElseThrow();
            String ratio = Figures.number(Figures.twoDigits(end.qps() / now.qps())) + "×";

            assertThat(page.predictedQps(judged.recommendations().get(i))).contains(ratio);
            assertThat(html).contains("(" + ratio + ")");
            assertThat(terminal)
                    .contains(i == 0 ? end.inGain() : end.qpsInTable(), Figures.number(end.qps()));
        }
    }
}
