package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.tune.Diagnosed;
import dev.jdyno.tune.Tuned;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnfinishedTuningTest {
    @Test
    void tuningCutBeforeBaselineHasNoFigures() {
        var none = new Diagnosed(Bottleneck.UNKNOWN, "", "", 0, 0, 0, 0, 1, List.of());
        var cut =
                new Tuned(
                        Metric.QPS,
                        none,
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        "java -jar app.jar",
                        List.of(),
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        5,
                        false,
                        true,
                        List.of());

        assertThat(TuneReport.terminal(cut)).contains("PARTIAL").doesNotContain("0/s");
    }
}
