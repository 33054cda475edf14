package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.heapmodel.advice.Footprint;
import dev.jdyno.heapmodel.advice.HeapAdvice;
import dev.jdyno.heapmodel.advice.HeapGoal;
import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.HeapObservation.Copying;
import dev.jdyno.measure.gc.HeapObservation.Kind;
import dev.jdyno.measure.text.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ReplayForecastTest {
    private static final double MIB = 1024.0 * 1024.0;

    /// Trees on Serial, JDK 25, 200 MiB. Without an old collection, promoted garbage and live
    /// objects look the same. At 480 MiB there were 242 collections.
    @Test
    void promotedGarbageIsNotLive() {
        HeapForecast there = HeapForecast.of(trees(), Bytes.mebi(480));

        assertThat(there.gcs()).isCloseTo(242, withPercentage(10));
        assertThat(there.fullGcs()).isZero();
    }

    /// 461 collections on 200 MiB, and 58 by the rules for 480 MiB: 7.9 times fewer on 2.4 times
    /// the heap.
    @Test
    void predictsPartOfFigureThatChangesMoreThanTheHeap() {
        assertThat(ReplayForecast.tempered(461, 58, 200 / 480.0)).isCloseTo(73.7, within(0.1));
        assertThat(ReplayForecast.tempered(58, 461, 480 / 200.0))
                .as("the other way as much")
                .isCloseTo(58 * 461 / 73.7, within(1.0));
    }

    @Test
    void predictsFigureThatChangesAtMostAsTheHeap() {
        assertThat(ReplayForecast.tempered(240, 100, 200 / 480.0)).isCloseTo(100, within(1e-6));
        assertThat(ReplayForecast.tempered(240, 200, 200 / 480.0)).isEqualTo(200);
        assertThat(ReplayForecast.tempered(240, 250, 200 / 480.0)).isEqualTo(250);
        assertThat(ReplayForecast.tempered(240, 235, 1)).isEqualTo(235);
        assertThat(ReplayForecast.tempered(0, 3, 0.5)).isEqualTo(3);
    }

    @Test
    void adviceOnAHeapFirstKeepsTheObservedDivision() {
        var asked =
                new HeapAdvice.Asked(
                        new HeapGoal(Optional.empty(), HeapGoal.GC_SHARE),
                        5,
                        new Footprint.Outside(Optional.empty(), 10, new Bytes(0)),
                        Optional.empty(),
                        List.of(Bytes.mebi(320), Bytes.mebi(480)));

        List<HeapAdvice.Choice> choices = HeapAdvice.of(trees(), asked).choices();

        for (Bytes heap : asked.heaps()) {
            List<HeapAdvice.Choice> same =
                    choices.stream().filter(c -> c.forecast().heap().equals(heap)).toList();
            assertThat(same).hasSize(2);
            assertThat(same.getFirst().sharesAsSeen()).isTrue();
            assertThat(same.getFirst().forecast()).isEqualTo(HeapForecast.of(trees(), heap));
            assertThat(same.getLast().sharesAsSeen()).isFalse();
            assertThat(same.getLast().forecast().pauseShare())
                    .isLessThan(same.getFirst().forecast().pauseShare());
        }
    }

    private static HeapObservation trees() {
        return new HeapObservation(
                Kind.SERIAL,
                OptionalInt.of(25),
                200 * MIB,
                Optional.of(66.7 * MIB),
                116 * MIB,
                true,
                70 * MIB,
                4,
                31_000 * MIB,
                116 * MIB,
                582,
                0,
                0,
                574,
                0,
                0,
                Optional.of(new Copying(53 * MIB, 0.03 * MIB, 0, 150 * MIB, 0.8, List.of())),
                List.of(),
                List.of());
    }

    private static HeapObservation fullCollecting(Kind kind) {
        return new HeapObservation(
                kind,
                OptionalInt.of(25),
                200 * MIB,
                Optional.of(66.7 * MIB),
                49 * MIB,
                false,
                90 * MIB,
                6,
                5_300 * MIB,
                2_200 * MIB,
                103,
                29,
                0,
                1802,
                1886,
                0,
                Optional.of(new Copying(52 * MIB, 6.5 * MIB, 21 * MIB, 2_800 * MIB, 17, List.of())),
                List.of(),
                List.of());
    }

    @Test
    void predictsObservedSurvivorSpacesUnchanged() {
        HeapObservation seen = fullCollecting(Kind.SERIAL);
        var heap = new Bytes((long) seen.heapBytes());
        ReplayForecast three = ReplayForecast.of(seen, OptionalInt.of(3)).orElseThrow();

        assertThat(three.at(heap, seen.youngBytes(), OptionalInt.of(3)))
                .isEqualTo(three.at(heap, seen.youngBytes()));
        assertThat(three.at(heap, seen.youngBytes()).orElseThrow().gcs())
                .isCloseTo((double) seen.gcs(), withPercentage(0.1));
        assertThat(three.at(heap, seen.youngBytes(), OptionalInt.of(1)).orElseThrow().youngGcs())
                .as("a smaller Eden is full more often")
                .isGreaterThan((double) seen.youngGcs());
    }

    /// A cache program on Serial, JDK 25: 65 ms a full collection at 200 MiB, 119 ms at 480 MiB.
    @Test
    void timeOfFullCollectionOfSerialGrowsWithGarbage() {
        assertThat(fullMeanMs(fullCollecting(Kind.SERIAL)) / (1886 / 29.0)).isBetween(1.5, 2.0);
    }

    /// A program with expiring entries on Parallel, JDK 25: 81 ms at 200 MiB, 103 ms at 480 MiB.
    @Test
    void timeOfFullCollectionOfParallelGrowsLessWithGarbage() {
        assertThat(fullMeanMs(fullCollecting(Kind.PARALLEL)) / (1886 / 29.0)).isBetween(1.1, 1.4);
    }

    private static double fullMeanMs(HeapObservation seen) {
        HeapForecast there = HeapForecast.of(seen, Bytes.mebi(480));
        assertThat(there.fullGcs()).isPositive();
        return (there.pauseMs() - there.shortPauseMeanMs() * there.youngGcs()) / there.fullGcs();
    }
}
