package dev.jdyno.measure.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrendTest {
    private static List<Trend.Point> points(double... values) {
        return IntStream.range(0, values.length)
                .mapToObj(i -> new Trend.Point(2 * i, values[i]))
                .toList();
    }

    @Test
    void straightLineHasExactSlopeAndHighestStatistic() {
        Trend t = Trend.of(points(10, 14, 18, 22, 26, 30, 34, 38, 42, 46)).orElseThrow();

        assertThat(t.points()).isEqualTo(10);
        assertThat(t.perS()).isEqualTo(2);
        // S = 45 with a variance of 10 · 9 · 25 / 18 = 125, so z = (45 - 1) / √125
        assertThat(t.z()).isCloseTo(3.935, within(0.001));
        assertThat(Trend.of(points(46, 42, 38, 34, 30, 26, 22, 18, 14, 10)).orElseThrow().z())
                .isCloseTo(-3.935, within(0.001));
    }

    @Test
    void outlierBarelyChangesTrend() {
        Trend t = Trend.of(points(10, 14, 18, 22, 9000, 30, 34, 38, 42, 46)).orElseThrow();

        assertThat(t.perS()).isCloseTo(2, within(0.1));
        assertThat(t.z()).isGreaterThan(2.6);
    }

    @Test
    void constantValuesHaveNoTrend() {
        Trend t = Trend.of(points(7, 7, 7, 7, 7)).orElseThrow();

        assertThat(t.perS()).isZero();
        assertThat(t.z()).isZero();
    }

    @Test
    void falseTrendsOccurAtTheirNominalRate() {
        var random = new Random(7);
        int found = 0;
        for (int run = 0; run < 2000; run++) {
            var points = new ArrayList<Trend.Point>();
            for (int i = 0; i < 20; i++) {
                points.add(new Trend.Point(i, random.nextGaussian()));
            }
            if (Trend.of(points).orElseThrow().z() > 1.645) {
                found++;
            }
        }
        assertThat(found / 2000.0).isBetween(0.03, 0.07);
    }

    @Test
    void tooFewPointsAndPointsOfOneMomentHaveNoTrend() {
        assertThat(Trend.of(points(1, 2, 3))).isEmpty();
        assertThat(
                        Trend.of(
                                List.of(
                                        new Trend.Point(1, 1),
                                        new Trend.Point(1, 2),
                                        new Trend.Point(1, 3),
                                        new Trend.Point(1, 4))))
                .isEmpty();
    }
}
