package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.experiment.form.ComparisonReport;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static Comparison with(double measuredRatio) {
        return new Comparison(
                "E1",
                "title",
                List.of(
                        Comparison.figure("QPS", 175, 180, "1/s"),
                        Comparison.predicted("N*", 20, Optional.of(18.0), 17, "requests"),
                        Comparison.shape("ratio", 1.94, measuredRatio, 0.15)),
                List.of("a note"));
    }

    @Test
    void comparisonHoldsIfEveryJudgedRatioIsWithinItsTolerance() {
        assertThat(with(1.94 * 1.14).holds()).isTrue();
        assertThat(with(1.94 * 1.16).holds()).isFalse();
        assertThat(with(1.94 * 0.84).holds()).isFalse();
    }

    @Test
    void tableShowsPublishedPredictedAndMeasuredValues() {
        String table = ComparisonReport.of(with(1.9), false);

        assertThat(table.lines().filter(l -> l.startsWith("N*")).findFirst().orElseThrow())
                .contains("20", "18", "17 requests");
        assertThat(table).contains("holds (within 15 %)").contains("- a note");
        assertThat(ComparisonReport.of(with(1), false)).contains("DOES NOT HOLD");
    }

    @Test
    void medianErrorJudgesAllPredictions() {
        Comparison good = predictions(104, 95);
        Comparison off = predictions(150, 95);

        Comparison together = Predictions.of(List.of(good, good));

        assertThat(together.rows()).hasSize(6);
        assertThat(together.rows().getFirst().figure()).isEqualTo("E1 QPS, changed");
        assertThat(together.rows().get(4).measured()).isCloseTo(4.0, within(1e-9));
        assertThat(together.holds()).isTrue();
        assertThat(Predictions.of(List.of(off, off)).holds()).isFalse();
    }

    /// Predictions for measured 100/s and 100 ms. Counts must not enter the errors of predictions.
    private static Comparison predictions(double qps, double rtMs) {
        return new Comparison(
                "E1",
                "title",
                List.of(
                        Comparison.figure("QPS", 175, 100, "1/s"),
                        Comparison.predicted("N*", 20, Optional.of(18.0), 17, "requests"),
                        Comparison.predicted("QPS, changed", 100, Optional.of(qps), 100, "1/s"),
                        Comparison.predicted("RT, changed", 100, Optional.of(rtMs), 100, "ms")),
                List.of());
    }

    @Test
    void jsonMarksConfirmedFigures() {
        assertThat(ComparisonReport.of(with(1), true))
                .contains("\"schema\":\"jdyno/lab/1\"")
                .contains("\"holds\":false")
                .contains("\"published\":1.94");
    }

    @Test
    void catalogueHasAllExperimentsInOrder() {
        assertThat(Published.all().stream().map(Experiment::id))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 26).mapToObj(i -> "E" + i).toList());
        String list = ComparisonReport.catalogue(Published.all(), false);
        assertThat(list.lines()).hasSize(26);
        assertThat(list.lines().map(l -> l.split(" ", 2)[0])).startsWith("E1").endsWith("E26");
    }
}
