package dev.jdyno.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SparklineTest {
    private static List<Double> heights(Double... values) {
        return Stream.of(new Sparkline(List.of(values)).points().split(" "))
                .map(p -> Double.valueOf(p.split(",")[1]))
                .toList();
    }

    @Test
    void largerValueIsHigher() {
        List<Double> seen = heights(100.0, 200.0, 150.0);

        assertThat(seen.get(1)).isLessThan(seen.get(2));
        assertThat(seen.get(2)).isLessThan(seen.get(0));
        assertThat(seen).allSatisfy(y -> assertThat(y).isBetween(0.0, 28.0));
    }

    @Test
    void noiseOfOnePercentIsNearlyFlat() {
        List<Double> noise = heights(100.0, 101.0);
        List<Double> doubled = heights(100.0, 200.0);

        assertThat(noise.get(0) - noise.get(1)).isLessThan((doubled.get(0) - doubled.get(1)) / 10);
    }

    @Test
    void drawsDotForOneValueAndLineForZeros() {
        assertThat(heights(5.0)).containsExactly(14.0);
        assertThat(heights(0.0, 0.0)).containsExactly(14.0, 14.0);
    }
}
