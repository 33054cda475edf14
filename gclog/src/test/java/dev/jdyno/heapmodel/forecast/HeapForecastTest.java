package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.HeapObservation.Kind;
import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HeapForecastTest {
    private static final double MIB = 1024.0 * 1024.0;

    private static HeapObservation seen(Kind kind, long young, long full, long cycles) {
        return new HeapObservation(
                kind,
                OptionalInt.empty(),
                256 * MIB,
                Optional.empty(),
                25 * MIB,
                false,
                30 * MIB,
                100,
                5700 * MIB,
                300 * MIB,
                young,
                full,
                cycles,
                young * 10.0,
                full * 200.0,
                cycles * 0.1,
                Optional.empty(),
                List.of(),
                List.of());
    }

    private static HeapAdvice advice(HeapObservation run, double longestMs, HeapGoal goal) {
        return HeapAdvice.of(
                run,
                new HeapAdvice.Asked(
                        goal,
                        longestMs,
                        new Footprint.Outside(Optional.empty(), 200, new Bytes(0)),
                        Optional.empty(),
                        List.of()));
    }

    @Test
    void forecastForTheObservedHeapEqualsTheLog() {
        for (Kind kind : Kind.values()) {
            HeapObservation run = seen(kind, kind.isPauseless() ? 0 : 80, 4, 30);

            HeapForecast same = HeapForecast.of(run, new Bytes((long) run.heapBytes()));

            assertThat(same.gcs()).isCloseTo((double) run.gcs(), withPercentage(0.1));
            assertThat(same.pauseMs()).isCloseTo(run.pauseMs(), withPercentage(0.1));
        }
    }

    /// Binary trees on Parallel, JDK 25: 121, 89, 61 and 44 young collections at 192, 256, 384 and
    /// 512 MiB, none full.
    @Test
    void forecastsTreesOnParallelAtFourSizes() {
        HeapObservation run = seen(Kind.PARALLEL, 89, 0, 0);

        assertThat(HeapForecast.of(run, Bytes.mebi(192)).gcs()).isCloseTo(121, withPercentage(9));
        assertThat(HeapForecast.of(run, Bytes.mebi(384)).gcs()).isCloseTo(61, withPercentage(9));
        assertThat(HeapForecast.of(run, Bytes.mebi(512)).gcs()).isCloseTo(44, withPercentage(9));
    }

    /// The same on G1: 53, 40, 28 and 21.
    @Test
    void forecastsTreesOnG1AtFourSizes() {
        HeapObservation run = seen(Kind.REGIONS, 40, 0, 0);

        assertThat(HeapForecast.of(run, Bytes.mebi(192)).gcs()).isCloseTo(53, withPercentage(9));
        assertThat(HeapForecast.of(run, Bytes.mebi(384)).gcs()).isCloseTo(28, withPercentage(9));
        assertThat(HeapForecast.of(run, Bytes.mebi(512)).gcs()).isCloseTo(21, withPercentage(9));
    }

    @Test
    void fullCollectionsFollowFreeOldSpace() {
        HeapObservation run = seen(Kind.PARALLEL, 80, 8, 0);

        // the old generation has 170.7 MiB minus 25 live, compared with 341.3 minus 25
        assertThat(HeapForecast.of(run, Bytes.mebi(512)).fullGcs())
                .isCloseTo(8 * (170.67 - 25) / (341.33 - 25), withPercentage(0.1));
    }

    /// With more free space, late cycles of Shenandoah disappear. The few late cycles of a large
    /// heap do not multiply on a smaller one.
    @Test
    void degeneratedCyclesDisappearFasterThanTheyAppear() {
        HeapObservation run = seen(Kind.SHENANDOAH, 0, 8, 60);

        assertThat(HeapForecast.of(run, Bytes.mebi(512)).fullGcs()).isLessThan(1);
        assertThat(HeapForecast.of(run, Bytes.mebi(128)).fullGcs())
                .isCloseTo(16, withPercentage(0.1));
    }

    @Test
    void aHeapBelowTheLiveSetIsTooSmall() {
        HeapObservation run = seen(Kind.PARALLEL, 80, 8, 0);

        assertThat(HeapForecast.of(run, Bytes.mebi(40)).tooSmall()).isTrue();
        assertThat(HeapForecast.of(run, Bytes.mebi(64)).tooSmall()).isFalse();
    }

    @Test
    void recommendsSmallestHeapThatMeetsTimeShare() {
        HeapObservation run = seen(Kind.PARALLEL, 2000, 0, 0);

        HeapAdvice advice = advice(run, 30, new HeapGoal(Optional.of(50.0), 0.15));

        HeapForecast chosen = advice.chosen().orElseThrow().forecast();
        assertThat(chosen.pauseShare()).isLessThanOrEqualTo(0.15);
        assertThat(
                        advice.choices().stream()
                                .filter(c -> c.forecast().heap().compareTo(chosen.heap()) < 0))
                .allMatch(c -> c.forecast().pauseShare() > 0.15);
        assertThat(advice.now().pauseMet()).isTrue();
    }

    @Test
    void neverAdvisesSmallerHeapForConcurrentCollector() {
        HeapAdvice advice =
                advice(
                        seen(Kind.ZGC, 0, 0, 30),
                        0.1,
                        new HeapGoal(Optional.empty(), HeapGoal.GC_SHARE));

        assertThat(advice.chosen().orElseThrow().forecast().heap()).isEqualTo(Bytes.mebi(256));
    }

    @Test
    void findsNoSizeForImpossibleGoal() {
        HeapObservation run = seen(Kind.PARALLEL, 8000, 0, 0);

        HeapAdvice advice = advice(run, 80, new HeapGoal(Optional.of(50.0), 0.01));

        assertThat(advice.chosen()).isEmpty();
        assertThat(advice.now().pauseMet()).isFalse();
        assertThatThrownBy(() -> new HeapGoal(Optional.of(0.0), 0.05))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
