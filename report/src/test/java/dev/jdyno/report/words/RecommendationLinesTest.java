package dev.jdyno.report.words;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.RecommendedChange;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecommendationLinesTest {
    private static final Round NOW = ResultFixture.e1().operatingPoint().orElseThrow().round();

    private static List<String> lines(int columns, Expected expected) {
        var r =
                new Recommendation(
                        RecommendedChange.read("id", "", List.of(new Change.Code()), false),
                        Sentence.of("Give the pool more threads, because requests wait for them"),
                        "how",
                        Optional.of(70.0),
                        Optional.of(0.5),
                        false,
                        "why",
                        Optional.empty(),
                        Optional.of(expected));
        var names = ShortNames.of(ResultFixture.e1().recording(), ResultFixture.e1().judged());
        return new RecommendationLines(names, columns, 3, 3, 0, "more")
                .of("Recommendations", List.of(r), Optional.of(NOW));
    }

    /// A throughput with its load is wider than its column usually is.
    @ParameterizedTest
    @ValueSource(ints = {80, 100, 140})
    void aLongThroughputLeavesTheResponseTimeItsColumn(int columns) {
        List<String> lines =
                lines(
                        columns,
                        new Expected(12345, 46.2, 570, Optional.of(new Interval(12345, 13000))));

        assertThat(lines).allMatch(l -> l.length() <= columns).noneMatch(l -> l.contains("..."));
        assertThat(lines.get(1))
                .hasSize(columns)
                .endsWith("  at least 12345 at N=570          46.2");
    }

    @Test
    void changeWithoutGainShowsNoGain() {
        List<String> lines =
                lines(100, new Expected(175, 114, 20, Optional.of(new Interval(172, 176))));

        assertThat(lines.get(1)).endsWith("  175           114").doesNotContain("at least");
    }
}
