package dev.jdyno.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.load.pacing.ArrivalTimes;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharesTest {
    private static final double RATE = 1000;
    private static final int ARRIVALS = 20_000;

    @ParameterizedTest
    @CsvSource({"1,3", "2,3", "3,3", "10,3", "100,7"})
    void splitsUsersEvenlyWithoutLoss(int users, int agents) {
        List<Level> shares = Shares.of(new Level.Closed(users, Duration.ofMillis(5)), agents);

        int[] own = shares.stream().mapToInt(Level::connections).toArray();
        assertThat(own).hasSize(agents);
        assertThat(Arrays.stream(own).sum()).isEqualTo(users);
        assertThat(own[0] - own[agents - 1]).isBetween(0, 1);
    }

    @Test
    void aRateIsSplitAmongAgentsThatHaveAConnection() {
        List<Level> shares = Shares.of(new Level.Open(2, RATE, Arrivals.POISSON), 3);

        assertThat(shares)
                .containsExactly(
                        new Level.Open(1, RATE / 2, Arrivals.POISSON),
                        new Level.Open(1, RATE / 2, Arrivals.POISSON),
                        new Level.Idle());
    }

    /// Kolmogorov-Smirnov test of the arrivals at the service. For any number of agents, the gaps
    /// are exponential with the total rate, and no gap depends on the previous one.
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10, 30})
    void arrivalsOfAllAgentsFormOnePoissonProcess(int agents) {
        double[] gaps = gaps(agents);

        double[] sorted = gaps.clone();
        Arrays.sort(sorted);
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            double expected = 1 - Math.exp(-sorted[i] * RATE / 1e9);
            distance =
                    Math.max(
                            distance,
                            Math.max(
                                    Math.abs(expected - (double) i / sorted.length),
                                    Math.abs(expected - (i + 1.0) / sorted.length)));
        }
        // 1.63 / √n is the limit at 1 %
        assertThat(distance * Math.sqrt(sorted.length)).isLessThan(1.63);
        assertThat(Math.abs(correlation(gaps)) * Math.sqrt(gaps.length)).isLessThan(3);
    }

    @Test
    void evenlySpacedStreamsWouldNotPass() {
        double[] times = new double[ARRIVALS];
        for (int i = 0; i < ARRIVALS; i++) {
            int step = i / 3;
            times[i] = step * 3e9 / RATE + i % 3 * 1000; // three in step
        }

        assertThat(Math.abs(correlation(differences(times))) * Math.sqrt(ARRIVALS))
                .isGreaterThan(3);
    }

    private static double[] gaps(int agents) {
        var seeds = new SplittableRandom(7);
        List<Level> shares = Shares.of(new Level.Open(agents, RATE, Arrivals.POISSON), agents);
        double[] all = new double[ARRIVALS * 2];
        int n = 0;
        double end = ARRIVALS / RATE * 1e9;
        for (Level share : shares) {
            var open = (Level.Open) share;
            ArrivalTimes times =
                    ArrivalTimes.of(
                            open.arrivals(),
                            open.ratePerS(),
                            new SplittableRandom(seeds.nextLong()));
            for (double t = times.nextGapNanos(); t < end; t += times.nextGapNanos()) {
                all[n++] = t;
            }
        }
        double[] arrivals = Arrays.copyOf(all, n);
        Arrays.sort(arrivals);
        return differences(arrivals);
    }

    private static double[] differences(double[] of) {
        double[] gaps = new double[of.length - 1];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = of[i + 1] - of[i];
        }
        return gaps;
    }

    /// Correlation of each gap with the next gap.
    private static double correlation(double[] gaps) {
        double mean = Arrays.stream(gaps).average().orElseThrow();
        double together = 0;
        double alone = 0;
        for (int i = 0; i + 1 < gaps.length; i++) {
            together += (gaps[i] - mean) * (gaps[i + 1] - mean);
            alone += (gaps[i] - mean) * (gaps[i] - mean);
        }
        return together / alone;
    }
}
