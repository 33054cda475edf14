package dev.jdyno.cli.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcLog;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.measure.gc.GcAdvices;
import dev.jdyno.measure.gc.GcIllness;
import dev.jdyno.report.words.memory.GcPredictions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GcPredictionsTest {
    private static final Analysis G1 = read("jdk25-g1");

    private static Analysis read(String name) {
        return GcLog.read(
                List.of(Path.of("../gclog/src/test/resources/gclog", name + ".log.gz")),
                GcLog.Options.DEFAULT);
    }

    private static GcDiagnosis advising(double heapBytes) {
        return new GcDiagnosis(
                GcIllness.LIVE_SET,
                GcDiagnosis.Severity.INFO,
                "says",
                "why",
                List.of(),
                List.of(GcAdvices.heap(G1.setting(), heapBytes, "why")),
                "verify",
                Optional.empty());
    }

    private static Optional<String> predicted(Analysis a, double factor) {
        double heap = a.heap().maxBytes().orElseThrow();
        return GcPredictions.of(a, List.of(advising(factor * heap))).getFirst().predicted();
    }

    @Test
    void predictsAdvisedHeapWithErrorOfForecasts() {
        assertThat(predicted(G1, 2).orElseThrow())
                .contains(" collections instead of ", "pauses instead of", "median error");
    }

    @Test
    void predictsEachAdvisedHeapIndependently() {
        double heap = G1.heap().maxBytes().orElseThrow();

        List<GcDiagnosis> together =
                GcPredictions.of(
                        G1, List.of(advising(1.5 * heap), advising(2 * heap), advising(9 * heap)));

        assertThat(together.stream().map(GcDiagnosis::predicted))
                .containsExactly(predicted(G1, 1.5), predicted(G1, 2), Optional.empty());
        assertThat(predicted(G1, 1.5)).isNotEqualTo(predicted(G1, 2));
    }

    @Test
    void predictsNothingBeyondValidatedHeapSizes() {
        assertThat(predicted(G1, 5)).isEmpty();
    }

    @Test
    void adviceWithoutAHeapCarriesNoPrediction() {
        GcDiagnosis d = advising(0);
        GcDiagnosis none =
                new GcDiagnosis(
                        d.illness(),
                        d.severity(),
                        d.says(),
                        d.why(),
                        d.evidence(),
                        List.of(),
                        d.verify(),
                        Optional.empty());

        assertThat(GcPredictions.of(G1, List.of(none))).containsExactly(none);
    }
}
