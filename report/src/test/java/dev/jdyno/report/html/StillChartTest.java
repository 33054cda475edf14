package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StillChartTest {
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?");

    private static Chart chart(Chart.X x, Chart.Y y, Chart.Style style, List<Chart.Point> points) {
        return Chart.of(x, y, List.of(new Chart.Series("a", style, "--measured", points)));
    }

    private static Chart line(double... heights) {
        List<Chart.Point> points = new ArrayList<>();
        for (int i = 0; i < heights.length; i++) {
            points.add(new Chart.Point(i, heights[i]));
        }
        return chart(
                Chart.X.linear("s", true), Chart.Y.fromZero("ms", "ms"), Chart.Style.LINE, points);
    }

    private static List<Double> numbers(String path) {
        return NUMBER.matcher(path).results().map(r -> Double.parseDouble(r.group())).toList();
    }

    @Test
    void placesHigherValuesUpAndLaterValuesRight() {
        List<Double> path = numbers(StillChart.of(line(1, 3)).series().getFirst().path());

        assertThat(path.get(2)).isGreaterThan(path.get(0));
        assertThat(path.get(3)).isLessThan(path.get(1));
    }

    @ParameterizedTest
    @EnumSource(Chart.Style.class)
    void everyStyleStaysInsideItsBox(Chart.Style style) {
        List<Chart.Point> points = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            points.add(new Chart.Point(i, i * i, Optional.of(new Interval(i, 2.0 * i * i + 1))));
        }
        StillChart still =
                StillChart.of(
                        chart(
                                Chart.X.linear("s", false),
                                Chart.Y.fromZero("ms", "ms"),
                                style,
                                points));

        StillChart.Drawn drawn = still.series().getFirst();
        assertThat(drawn.path()).startsWith("M").doesNotContain("NaN", "Infinity");
        assertThat(numbers(drawn.path()))
                .hasSizeGreaterThan(10)
                .allMatch(n -> n >= -StillChart.WIDTH && n <= StillChart.WIDTH);
        assertThat(drawn.colour()).matches("#[0-9a-f]{6}");
    }

    @Test
    void labelsAreRoundNumbersInsideTheAxis() {
        StillChart still = StillChart.of(line(0, 870));

        assertThat(still.yLabels())
                .extracting(StillChart.Label::text)
                .containsExactly("0", "200", "400", "600", "800");
    }

    @Test
    void aLogarithmicAxisHasPowersOfTen() {
        StillChart still =
                StillChart.of(
                        chart(
                                Chart.X.spanning("ms", Chart.Axis.LOGARITHMIC),
                                Chart.Y.fromZero("n", "").withLog(true),
                                Chart.Style.STEPS,
                                List.of(
                                        new Chart.Point(1, 1e-3),
                                        new Chart.Point(50, 1e3),
                                        new Chart.Point(100, 10))));

        assertThat(still.xLabels())
                .extracting(StillChart.Label::text)
                .containsExactly("1", "2", "5", "10", "20", "50", "100");
        assertThat(still.yLabels()).extracting(StillChart.Label::text).contains("1", "100");
        assertThat(still.yLabels()).hasSize(7);
    }

    /// A count of 0 or less has no logarithm. It is drawn at the lower end.
    @ParameterizedTest
    @ValueSource(doubles = {0, -3})
    void logarithmicAxisStartsAtSmallestPositiveValue(double min) {
        StillChart still =
                StillChart.of(
                        chart(
                                Chart.X.linear("s", true),
                                Chart.Y.fromZero("n", "").withLog(true),
                                Chart.Style.LINE,
                                List.of(
                                        new Chart.Point(1, min),
                                        new Chart.Point(2, 1),
                                        new Chart.Point(3, 10),
                                        new Chart.Point(4, 100))));

        List<Double> path = numbers(still.series().getFirst().path());
        assertThat(path).hasSize(8);
        assertThat(path.get(1)).isEqualTo(path.get(3));
        assertThat(path.get(3) - path.get(5)).isCloseTo(path.get(5) - path.get(7), within(0.2));
        assertThat(path.get(5)).isLessThan(path.get(3));
        assertThat(still.yLabels()).extracting(StillChart.Label::text).contains("1", "10", "100");
    }

    @Test
    void axisOfNinesHasLabelsOfShares() {
        StillChart still =
                StillChart.of(
                        chart(
                                Chart.X.spanning("share", Chart.Axis.NINES),
                                Chart.Y.fromZero("ms", "ms"),
                                Chart.Style.LINE,
                                List.of(new Chart.Point(0.3, 1), new Chart.Point(3.2, 9))));

        assertThat(still.xLabels())
                .extracting(StillChart.Label::text)
                .containsExactly("50 %", "90 %", "99 %", "99.9 %");
    }

    @Test
    void onePeakAmongManyPointsIsKept() {
        double[] many = new double[100_000];
        many[77_777] = 5;
        StillChart still = StillChart.of(line(many));

        String path = still.series().getFirst().path();

        assertThat(path.length()).isLessThan(10_000);
        assertThat(numbers(path).stream().mapToDouble(v -> v).min().orElseThrow())
                .isLessThan(StillChart.HEIGHT / 4);
    }

    @Test
    void unusualValuesGiveNoNaNOrInfinityInAChart() {
        for (Chart odd :
                List.of(
                        line(),
                        line(0),
                        line(0, 0, 0),
                        line(Double.NaN, 1, Double.POSITIVE_INFINITY),
                        line(1e-300, 1e300),
                        line(-5, 5),
                        line(1, 1)
                                .withMarks(
                                        List.of(
                                                new Chart.Mark(
                                                        Double.NaN,
                                                        new Interval(0, 1),
                                                        "a",
                                                        true))))) {
            StillChart still = StillChart.of(odd);

            String all = still.series() + "" + still.xLabels() + still.yLabels() + still.marks();
            assertThat(all).doesNotContain("NaN", "Infinity");
        }
    }
}
