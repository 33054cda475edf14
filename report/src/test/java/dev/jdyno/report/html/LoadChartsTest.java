package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.load.LoadPoint;
import dev.jdyno.measure.load.LoadPoint.Part;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadChartsTest {
    private static LoadPoint second(double fromS, Part part) {
        return new LoadPoint(
                fromS, 1, part, 8, Optional.empty(), 100, 0, new Latency(10, 10, 12, 15, 20, 30));
    }

    /// The band of the warm-up must not cover the rounds.
    @Test
    void repeatedLoadHasItsOwnBand() {
        List<LoadPoint> points =
                List.of(
                        second(0, Part.WARM_UP),
                        second(1, Part.WARM_UP),
                        second(3, Part.ROUND),
                        second(4, Part.ROUND),
                        second(20, Part.WARM_UP));

        assertThat(LoadCharts.warmUp(points))
                .extracting(Chart.Mark::interval)
                .containsExactly(new Interval(0, 2), new Interval(20, 21));
        assertThat(LoadCharts.rounds(points)).hasSize(1);
    }

    @Test
    void aRunWithoutAWarmUpHasNoBand() {
        assertThat(LoadCharts.warmUp(List.of(second(0, Part.ROUND)))).isEmpty();
        assertThat(LoadCharts.warmUp(List.of())).isEmpty();
    }
}
