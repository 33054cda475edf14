package dev.jdyno.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.TestSet;
import dev.jdyno.series.Judgement.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JudgementTest {
    private static final int SEEDS = 50;

    /// @param noise standard deviation, as a share of the level
    private static double[] series(int length, double noise, long seed, IntToDoubleFunction level) {
        var random = new SplittableRandom(seed);
        double[] values = new double[length];
        for (int i = 0; i < length; i++) {
            values[i] = level.applyAsDouble(i) * (1 + noise * random.nextGaussian());
        }
        return values;
    }

    private static Judgement judged(double[] values) {
        return Judgement.of(values, true, 0);
    }

    private static List<Integer> places(Judgement judged) {
        return judged.levels().changes().stream().map(Levels.Change::index).toList();
    }

    /// @param stays probability that the next value comes from the same machine
    /// @param slow share of values from the slower machine if the machine is drawn anew
    @ParameterizedTest
    @CsvSource({"0, 0.5, 60", "0, 0.25, 60", "0, 0.75, 200", "0.7, 0.5, 100", "0.85, 0.4, 200"})
    void alternatingMachinesCauseNoAlarm(double stays, double slow, int length) {
        int said = 0;
        List<Long> alarms = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            Judgement judged = judged(twoMachines(seed, stays, slow, length, 1));
            said +=
                    judged.repeating().filter(r -> r instanceof Repeating.TwoLevels).isPresent()
                            ? 1
                            : 0;
            if (judged.verdict() == Verdict.REGRESSION) {
                alarms.add(seed);
            }
        }

        assertThat(alarms).as("alarms").isEmpty();
        assertThat(said).as("said in %d of %d", said, SEEDS).isGreaterThanOrEqualTo(SEEDS * 9 / 10);
    }

    /// @param later factor of the values in the last quarter
    private static double[] twoMachines(
            long seed, double stays, double slow, int length, double later) {
        var random = new SplittableRandom(1000 + seed);
        boolean[] isSlow = new boolean[length];
        for (int i = 0; i < length; i++) {
            isSlow[i] =
                    (i > 0 && random.nextDouble() < stays)
                            ? isSlow[i - 1]
                            : random.nextDouble() < slow;
        }
        return series(
                length,
                0.015,
                seed,
                i -> (isSlow[i] ? 125 : 100) * (i >= length * 3 / 4 ? later : 1));
    }

    @Test
    void aChangeOnBothMachinesIsFound() {
        int found = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Judgement judged = judged(twoMachines(seed, 0, 0.5, 80, 1.05));
            found +=
                    judged.verdict() == Verdict.REGRESSION
                                    && Math.abs(places(judged).getLast() - 60) <= 2
                            ? 1
                            : 0;
        }

        assertThat(found).as("of %d", SEEDS).isGreaterThanOrEqualTo(SEEDS * 9 / 10);
    }

    /// The level changes thirty times. Then forty values stay at the slower level, so it may be
    /// permanent.
    @Test
    void aLevelThatStaysFarLongerIsAChange() {
        Judgement judged = judged(series(100, 0.01, 1, i -> i >= 60 || i % 4 >= 2 ? 125 : 100));

        assertThat(judged.verdict()).isEqualTo(Verdict.REGRESSION);
        assertThat(places(judged).getLast()).isBetween(56, 62);
    }

    @Test
    void levelThatCameAndWentOnceIsReported() {
        Judgement judged = judged(series(40, 0.01, 1, i -> i / 10 % 2 == 1 ? 120 : 100));

        assertThat(judged.repeating()).isEmpty();
        assertThat(places(judged)).hasSize(3);
        assertThat(judged.verdict()).isEqualTo(Verdict.REGRESSION);
    }

    /// Noise leaves a change or causes an alarm in at most one series of ten.
    @Test
    void reportsPeriodOfSeasonalSeries() {
        double[] periods = {20, 20.4, 24, 17};
        int seeds = TestSet.times(1, 10);
        int all = seeds * periods.length;
        int said = 0;
        int alarms = 0;
        int changed = 0;
        for (double period : periods) {
            for (long seed = 0; seed < seeds; seed++) {
                Judgement judged =
                        judged(
                                series(
                                        500,
                                        0.02,
                                        seed,
                                        i -> 100 + 20 * Math.sin(2 * Math.PI * i / period)));
                said += isSeason(judged.repeating(), period) ? 1 : 0;
                alarms += judged.verdict() == Verdict.REGRESSION ? 1 : 0;
                changed += places(judged).size() > 1 ? 1 : 0;
            }
        }

        assertThat(said).as("said, of %d", all).isEqualTo(all);
        assertThat(changed).as("with changes left, of %d", all).isLessThanOrEqualTo(all / 10);
        assertThat(alarms).as("alarms, of %d", all).isLessThanOrEqualTo(all / 10);
    }

    private static boolean isSeason(Optional<Repeating> found, double period) {
        return found.filter(r ->
                        r instanceof Repeating.Season s && Math.abs(s.period() - period) <= 0.5)
                .isPresent();
    }

    @Test
    void seriesWithTwoLevelsADayHasAPeriod() {
        Judgement judged = judged(series(240, 0.01, 3, i -> i % 24 < 9 ? 130 : 100));

        assertThat(isSeason(judged.repeating(), 24)).as(judged.repeating().toString()).isTrue();
        assertThat(places(judged)).isEmpty();
    }

    @Test
    void findsChangeInSeasonalSeries() {
        int found = 0;
        for (long seed = 0; seed < 10; seed++) {
            Judgement judged =
                    judged(
                            series(
                                    200,
                                    0.02,
                                    seed,
                                    i ->
                                            (i < 150 ? 100 : 110)
                                                    + 20 * Math.sin(2 * Math.PI * i / 20)));
            found +=
                    judged.verdict() == Verdict.REGRESSION
                                    && Math.abs(places(judged).getLast() - 150) <= 4
                            ? 1
                            : 0;
        }

        assertThat(found).as("of 10").isGreaterThanOrEqualTo(9);
    }

    @Test
    void aSlowDriftIsOneChange() {
        int once = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Judgement judged = judged(series(60, 0.01, seed, i -> 100 * Math.pow(1.004, i)));
            once +=
                    judged.verdict() == Verdict.REGRESSION
                                    && places(judged).size() == 1
                                    && judged.drifts().size() == 1
                            ? 1
                            : 0;
        }

        assertThat(once).as("of %d", SEEDS).isGreaterThanOrEqualTo(SEEDS * 9 / 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 12, 30})
    void threeChangesInARowAreThree(int before) {
        int three = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Judgement judged =
                    judged(
                            series(
                                    before + 12,
                                    0.005,
                                    seed,
                                    i -> 100 + 15 * Math.max(0, (i - before) / 3)));
            three +=
                    places(judged).equals(List.of(before + 3, before + 6, before + 9))
                                    && judged.drifts().isEmpty()
                            ? 1
                            : 0;
        }

        assertThat(three).as("of %d", SEEDS).isGreaterThanOrEqualTo(SEEDS * 9 / 10);
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 30, 100})
    void noiseHasNeitherPeriodNorDrift(int length) {
        int called = 0;
        for (long seed = 0; seed < 200; seed++) {
            Judgement judged = judged(series(length, 0.02, seed, _ -> 100));
            called += judged.repeating().isPresent() || !judged.drifts().isEmpty() ? 1 : 0;
        }

        assertThat(called).as("of 200").isZero();
    }
}
