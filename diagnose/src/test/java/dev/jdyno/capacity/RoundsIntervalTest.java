package dev.jdyno.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.capacity.RoundsInterval.RoundValue;
import dev.jdyno.measure.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoundsIntervalTest {
    private static final int SEEDS = 2000;
    private static final int SECONDS = 5;

    /// Minimum coverage. Two rounds with very different true values sometimes agree by chance,
    /// which gives 92 %. All other cases have at least 94 %.
    private static final double MIN = 0.91;

    @ParameterizedTest(name = "{0} rounds, {1} between them, {2} within a second")
    @CsvSource({
        "1, 0, 0.1",
        "2, 0, 0.1",
        "3, 0, 0.1",
        "4, 0, 0.1",
        "8, 0, 0.1",
        "2, 0.03, 0.05",
        "3, 0.03, 0.05",
        "4, 0.03, 0.05",
        "8, 0.03, 0.05",
        "2, 0.1, 0.01",
        "3, 0.1, 0.01",
        "4, 0.1, 0.01",
        "5, 0.1, 0.01",
        "8, 0.1, 0.01"
    })
    void intervalCoversTruthInAbout95Percent(int rounds, double between, double second) {
        int holds = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            List<RoundValue> roundValues = roundValues(rounds, between, second, seed, false);
            holds += ofMean(roundValues).contains(10) ? 1 : 0;
        }
        assertThat(holds / (double) SEEDS).isBetween(MIN, 0.998);
    }

    /// Busier rounds have up to eight times the weight.
    @ParameterizedTest(name = "{0} rounds, {1} between them, {2} within a second")
    @CsvSource({"2, 0.1, 0.01", "3, 0.1, 0.01", "4, 0.1, 0.01", "4, 0.03, 0.05", "4, 0, 0.1"})
    void intervalCoversTruthForUnequalWeights(int rounds, double between, double second) {
        int holds = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            List<RoundValue> roundValues = roundValues(rounds, between, second, seed, true);
            holds += ofMean(roundValues).contains(10) ? 1 : 0;
        }
        assertThat(holds / (double) SEEDS).isBetween(MIN, 0.998);
    }

    @ParameterizedTest(name = "{0} rounds, {1} between them, {2} within a second")
    @CsvSource({
        "1, 0, 0.1",
        "2, 0.1, 0.01",
        "3, 0.1, 0.01",
        "4, 0.03, 0.05",
        "5, 0.1, 0.01",
        "9, 0, 0.1"
    })
    void intervalOfMedianCoversTruth(int rounds, double between, double second) {
        int holds = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            List<RoundValue> roundValues = roundValues(rounds, between, second, seed, false);
            double median = RoundsInterval.median(roundValues);
            holds +=
                    RoundsInterval.ofMedian(median, roundValues).orElseThrow().contains(10) ? 1 : 0;
        }
        assertThat(holds / (double) SEEDS).isBetween(MIN, 0.999);
    }

    /// Mean 2, standard error 1/√3, t quantile of 2 degrees of freedom 4.303.
    @Test
    void roundsWithoutVarianceGiveStudentInterval() {
        Interval i = ofMean(List.of(roundValue(1, 1), roundValue(2, 1), roundValue(3, 1)));

        assertThat(i.hi()).isCloseTo(2 + 4.302_65 / Math.sqrt(3), within(1e-4));
        assertThat(i.lo()).as("a time is not negative").isZero();
    }

    @Test
    void intervalOfSingleRoundNeedsItsSeconds() {
        var seconds = new RoundValue(10, 1, 0.04, 4);

        Interval i = ofMean(List.of(seconds));

        assertThat(i.hi() - 10).isCloseTo(0.2 * 2.776_45, within(1e-4));
        assertThat(RoundsInterval.ofMean(10, List.of(roundValue(10, 1)))).isEmpty();
    }

    @Test
    void roundsThatAgreeToTheDigitAreCertain() {
        assertThat(ofMean(List.of(roundValue(10, 1), roundValue(10, 3))))
                .isEqualTo(Interval.exactly(10));
    }

    @Test
    void roundWithLowWeightDoesNotShiftInterval() {
        Interval with =
                ofMean(
                        List.of(
                                roundValue(10, 1),
                                roundValue(10.2, 1),
                                roundValue(9.9, 1),
                                roundValue(40, 1e-6)));

        assertThat(with.width()).isLessThan(1);
    }

    @Test
    void aDifferenceAddsTheErrorsOfItsPartsInSquares() {
        Optional<Interval> three = Optional.of(new Interval(7, 13));
        Optional<Interval> four = Optional.of(new Interval(0, 8));

        assertThat(RoundsInterval.ofDifference(20, List.of(three, four)))
                .contains(new Interval(15, 25));
        assertThat(RoundsInterval.ofDifference(20, List.of(three, Optional.empty()))).isEmpty();
    }

    private static Interval ofMean(List<RoundValue> roundValues) {
        double weights = roundValues.stream().mapToDouble(RoundValue::weight).sum();
        double mean =
                roundValues.stream().mapToDouble(l -> l.weight() * l.figure()).sum() / weights;
        return RoundsInterval.ofMean(mean, roundValues).orElseThrow();
    }

    private static RoundValue roundValue(double figure, double weight) {
        return new RoundValue(figure, weight, 0, 1);
    }

    /// Rounds around 10, each of five seconds. The two arguments are the deviations of rounds and
    /// of seconds.
    private static List<RoundValue> roundValues(
            int rounds, double between, double second, int seed, boolean unequal) {
        var random = new SplittableRandom(seed);
        List<RoundValue> roundValues = new ArrayList<>();
        for (int r = 0; r < rounds; r++) {
            double centre = 10 * (1 + between * random.nextGaussian());
            double[] seconds = new double[SECONDS];
            double mean = 0;
            for (int s = 0; s < SECONDS; s++) {
                seconds[s] = centre + 10 * second * random.nextGaussian();
                mean += seconds[s] / SECONDS;
            }
            double squares = 0;
            for (double s : seconds) {
                squares += (s - mean) * (s - mean);
            }
            roundValues.add(
                    new RoundValue(
                            mean,
                            unequal ? Math.pow(2, r % 4) : 1,
                            squares / (SECONDS - 1) / SECONDS,
                            SECONDS - 1));
        }
        return roundValues;
    }
}
