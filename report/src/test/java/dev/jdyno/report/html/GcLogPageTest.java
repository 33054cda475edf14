package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.gc.GcLogFigures;
import dev.jdyno.report.LoadFixture;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Charts of load and collections with one time axis.
class GcLogPageTest {
    private static final double BEGAN = 2.5;

    private static RunResult with(Optional<Double> began) {
        RunResult r = LoadFixture.withGcLog();
        return r.withGcLog(r.gcLog().orElseThrow().withRunBegan(began));
    }

    private static List<Double> times(RunResult r) {
        return new GcLogPage(r)
                .figures().getFirst().chart().series().getLast().points().stream()
                        .map(Chart.Point::x)
                        .toList();
    }

    @Test
    void collectionsAreShownAtTheirTimeInTheRun() {
        List<Double> ofTheJvm = times(with(Optional.empty()));
        List<Double> ofTheRun = times(with(Optional.of(BEGAN)));

        assertThat(ofTheRun).hasSameSizeAs(ofTheJvm);
        for (int i = 0; i < ofTheJvm.size(); i++) {
            assertThat(ofTheRun.get(i)).isCloseTo(ofTheJvm.get(i) - BEGAN, within(1e-9));
        }
    }

    @Test
    void bothChartsHaveTheSameAxisAndMarkTheRounds() {
        RunResult r = with(Optional.of(BEGAN));
        Chart heap = new GcLogPage(r).figures().getFirst().chart();
        Chart load = new LoadPage(r).overTime().getFirst().chart();

        assertThat(heap.x()).isEqualTo(load.x());
        assertThat(heap.x().to()).isPositive();
        assertThat(heap.marks()).isNotEmpty();
        assertThat(load.marks()).containsAll(heap.marks());
        assertThat(new GcLogPage(r).time()).isEqualTo("load");
    }

    @Test
    void keepsClockOfLogWithoutOffset() {
        GcLogFigures log = with(Optional.empty()).gcLog().orElseThrow();

        assertThat(log.runBeganS()).isEmpty();
        assertThat(new GcLogPage(with(Optional.empty())).sinceTheRun()).isEmpty();
        assertThat(new GcLogPage(with(Optional.empty())).time()).isEqualTo("gc");
    }
}
