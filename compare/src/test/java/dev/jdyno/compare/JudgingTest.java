package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.TestSet;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The statistics on simulated starts: how often they report a difference that does not exist, and
/// how often they find an existing one.
class JudgingTest {
    private static final int COMPARISONS = TestSet.times(200, 1000);
    private static final int MAX_STARTS = 8;
    private static final double MIN_EFFECT = 0.03;

    /// Standard deviation between starts, and between the blocks of one start, on a shared machine.
    private static final double OF_STARTS = 0.02;

    private static final double OF_BLOCKS = 0.03;

    private final SplittableRandom random = new SplittableRandom(7);
    private final Judging judging = new Judging(Metric.QPS, MIN_EFFECT, true);

    private double normal(double deviation) {
        return random.nextGaussian() * deviation;
    }

    /// @param heavy true if one start in ten is an outlier
    private Start start(double trueRatio, boolean heavy) {
        double far = heavy && random.nextInt(10) == 0 ? 5 : 1;
        double ofA = normal(OF_STARTS * far);
        double ofB = normal(OF_STARTS * far);
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            pairs.add(
                    new Pair(
                            Metric.Load.SATURATED,
                            block(1000 * Math.exp(ofA + normal(OF_BLOCKS))),
                            block(1000 * trueRatio * Math.exp(ofB + normal(OF_BLOCKS)))));
        }
        return new Start(pairs, 0);
    }

    private static Round block(double qps) {
        return RoundFixture.round(16, qps).build();
    }

    /// The verdict of one comparison that is judged after each start.
    private Outcome compare(double trueRatio, boolean heavy) {
        List<Start> starts = new ArrayList<>();
        double spent = 0;
        for (int k = 1; k <= MAX_STARTS; k++) {
            starts.add(start(trueRatio, heavy));
            if (k < Judging.MIN_STARTS) {
                continue;
            }
            double by = new Looks(Judging.ALPHA, MAX_STARTS).spent(k);
            double alpha = by - spent;
            spent = by;
            Outcome now = judging.verdict(judging.rows(starts, alpha));
            if (now != Outcome.INCONCLUSIVE) {
                return now;
            }
        }
        return Outcome.INCONCLUSIVE;
    }

    private long count(double trueRatio, boolean heavy, List<Outcome> of) {
        long count = 0;
        for (int i = 0; i < COMPARISONS; i++) {
            count += of.contains(compare(trueRatio, heavy)) ? 1 : 0;
        }
        return count;
    }

    @Test
    void equalVariantsRarelyDiffer() {
        assertThat(count(1, false, List.of(Outcome.BETTER, Outcome.WORSE)))
                .isLessThanOrEqualTo((long) (COMPARISONS * Judging.ALPHA));
    }

    @Tag("full") // hundreds of simulated comparisons
    @Test
    void outliersGiveNoVerdict() {
        assertThat(count(1, true, List.of(Outcome.BETTER, Outcome.WORSE)))
                .isLessThanOrEqualTo((long) (COMPARISONS * Judging.ALPHA));
    }

    @Test
    void findsFifthLessThroughputAndNeverReportsGain() {
        assertThat(count(0.8, false, List.of(Outcome.WORSE)))
                .isGreaterThanOrEqualTo((long) (COMPARISONS * 0.95));
        assertThat(count(0.8, false, List.of(Outcome.BETTER, Outcome.EQUIVALENT))).isZero();
    }

    @Test
    void needsThreeStartsForAVerdict() {
        List<Start> two = List.of(start(0.1, false), start(0.1, false));

        assertThat(judging.verdict(judging.rows(two, 0.05))).isEqualTo(Outcome.INCONCLUSIVE);
    }

    @Test
    void fasterWithFailedRequestsIsWorse() {
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            starts.add(
                    new Start(
                            List.of(
                                    new Pair(
                                            Metric.Load.SATURATED,
                                            block(1000 + i),
                                            RoundFixture.round(16, 2000 + i).errors(500).build())),
                            0));
        }
        List<Compared.Row> rows = judging.rows(starts, 0.05);

        assertThat(rows.getFirst().outcome()).isEqualTo(Outcome.BETTER);
        assertThat(judging.verdict(rows)).isEqualTo(Outcome.WORSE);
    }

    @Test
    void aFigureThatWasNotMeasuredHasNoRow() {
        List<Start> starts = List.of(start(1, false), start(1, false), start(1, false));

        assertThat(judging.rows(starts, 0.05))
                .extracting(Compared.Row::metric)
                .doesNotContain(Metric.P50, Metric.P99);
    }

    @Test
    void theIntervalOfOneStartIsUnknown() {
        assertThat(Effect.of(Metric.QPS, List.of(start(1, false)), true, 0.05)).isEmpty();
    }

    /// Student's interval by hand: log ratios 0.1, 0.2, 0.3; half width 4.303 × 0.1 / √3.
    @Test
    void theIntervalIsNeverNarrowerThanStudents() {
        List<Start> starts =
                Stream.of(0.1, 0.2, 0.3)
                        .map(r ->
                                new Start(
                                        List.of(
                                                new Pair(
                                                        Metric.Load.SATURATED,
                                                        block(1000),
                                                        block(1000 * Math.exp(r)))),
                                        0))
                        .toList();
        Effect effect = Effect.of(Metric.QPS, starts, true, 0.05).orElseThrow();

        double half = 4.303 * 0.1 / Math.sqrt(3);
        assertThat(Math.log(effect.interval().lo())).isCloseTo(0.2 - half, within(0.001));
        assertThat(Math.log(effect.interval().hi())).isCloseTo(0.2 + half, within(0.001));
        assertThat(effect.p().orElseThrow()).isCloseTo(0.0742, within(0.0005));
    }
}
