package dev.jdyno.warm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Outcome;
import dev.jdyno.trial.ColdStart.Curve;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WarmJudgingTest {
    private static final double FULL = 100;

    /// Starts with half of full speed in the first `slow` seconds, and a little noise.
    private static Warmed.Starts starts(int many, int slow) {
        List<Curve> curves =
                IntStream.range(0, many)
                        .mapToObj(n ->
                                StartFiguresTest.curve(
                                        DoubleStream.iterate(0, i -> i < 30, i -> i + 1)
                                                .map(i -> i < slow ? 50 + n : FULL)
                                                .toArray()))
                        .toList();
        return WarmJudging.starts(new ArrayList<>(curves), FULL);
    }

    private static Warmed.Tried.Measured measured(int many, int slowWith) {
        return WarmJudging.measured(Way.CDS, starts(many, 20), starts(many, slowWith));
    }

    @Test
    void reportsMethodThatShortensWarmUpInEachRound() {
        Warmed.Tried.Measured halved = measured(5, 8);

        assertThat(halved.outcome()).isEqualTo(Outcome.BETTER);
        assertThat(halved.lost())
                .hasValueSatisfying(e -> assertThat(e.interval().hi()).isLessThan(1));
        assertThat(halved.to90()).hasValueSatisfying(e -> assertThat(e.ratio()).isLessThan(1));
    }

    @Test
    void reportsMethodThatProlongsWarmUp() {
        assertThat(measured(5, 29).outcome()).isEqualTo(Outcome.WORSE);
    }

    @Test
    void judgementNeedsMoreThanTwoStarts() {
        assertThat(measured(2, 8).outcome()).isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(measured(1, 8).lost()).isEmpty();
    }

    @Test
    void equalStartsShowNoDifference() {
        assertThat(measured(5, 20).outcome()).isEqualTo(Outcome.EQUIVALENT);
    }

    /// Only the first start of the baseline is followed by a rest. So the speed after a rest does
    /// not compare the ways.
    @Test
    void bothSpeedsAreThroughputOfLoad() {
        Curve plateau = StartFiguresTest.curve(Optional.of(200.0), 50, 50, 50, 50, 50, 50);
        Curve same = StartFiguresTest.curve(50, 50, 50, 50, 50, 50);

        assertThat(
                        WarmJudging.measured(
                                        Way.CDS,
                                        WarmJudging.starts(List.of(plateau), 200),
                                        WarmJudging.starts(List.of(same), 200))
                                .speed())
                .isEqualTo(1);
    }

    /// The throughput is twice full speed for 30 s, which compensates the two seconds before the
    /// load.
    @Test
    void countsRoundsWithStartWithoutLoss() {
        Curve fast = StartFiguresTest.curve(DoubleStream.generate(() -> 200).limit(30).toArray());
        Warmed.Starts two = WarmJudging.starts(List.of(fast, fast), FULL);

        assertThat(WarmJudging.roundsWithoutRatio(starts(3, 20), two)).isEqualTo(2);
        assertThat(WarmJudging.roundsWithoutRatio(two, starts(3, 20))).isEqualTo(2);
        assertThat(WarmJudging.roundsWithoutRatio(starts(3, 20), starts(3, 8))).isZero();
        assertThat(WarmNotes.withoutRatio(Way.CDS, starts(3, 20), two)).isPresent();
        assertThat(WarmJudging.measured(Way.CDS, starts(3, 20), two).lost()).isEmpty();
    }

    @Test
    void shareOfFullSpeedThatWasNotReachedHasNoRatio() {
        Warmed.Starts never = starts(4, 30);

        assertThat(WarmJudging.measured(Way.C1, starts(4, 20), never).to90()).isEmpty();
    }
}
