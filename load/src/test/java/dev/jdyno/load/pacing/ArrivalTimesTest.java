package dev.jdyno.load.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArrivalTimesTest {
    /// Kolmogorov-Smirnov test for the exponential distribution. With 5,000 gaps, the 0.1 % limit
    /// of the distance is 1.95/√n = 0.0276. The seeds are fixed, so a failure means a changed
    /// algorithm.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void poissonGapsAreExponential(long seed) {
        int n = 5000;
        ArrivalTimes times = ArrivalTimes.poisson(2000, new SplittableRandom(seed));
        double[] gaps = new double[n];
        Arrays.setAll(gaps, _ -> times.nextGapNanos());
        Arrays.sort(gaps);

        double distance = 0;
        for (int i = 0; i < n; i++) {
            double expected = -Math.expm1(-gaps[i] * 2000 / 1e9);
            distance = Math.max(distance, Math.abs(expected - (i + 0.5) / n));
        }

        assertThat(distance).isLessThan(1.95 / Math.sqrt(n));
    }
}
