package dev.jdyno.trial;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeakSuspicionTest {
    private static final double MB = 1 << 20;

    private static Round holding(double floorMb, double usedMb) {
        return holding(0, floorMb, usedMb);
    }

    private static Round holding(int fulls, double floorMb, double usedMb) {
        return round(10, 100)
                .gc(
                        new GcActivity(
                                new GcActivity.Count(10, 50),
                                new GcActivity.Count(fulls, fulls * 100),
                                0.01,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(usedMb * MB),
                                Optional.of(200 * MB),
                                Optional.empty(),
                                new GcActivity.Why(
                                        Map.of(), 0, Optional.of(floorMb * MB), Optional.empty())))
                .build();
    }

    @Test
    void suspectsOldGenerationThatGrowsFromRoundToRound() {
        assertThat(LeakSuspicion.of(List.of(holding(20, 40), holding(40, 80), holding(80, 120))))
                .isTrue();
    }

    @Test
    void heapThatFellOrBarelyRoseIsNotSuspected() {
        assertThat(LeakSuspicion.of(List.of(holding(20, 90), holding(60, 90), holding(30, 90))))
                .isFalse();
        assertThat(LeakSuspicion.of(List.of(holding(20, 21), holding(21, 22), holding(22, 23))))
                .isFalse();
    }

    @Test
    void suspectsRiseAfterCollectionOfWarmUpGarbage() {
        assertThat(LeakSuspicion.of(List.of(holding(50, 60), holding(40, 70), holding(80, 120))))
                .isTrue();
    }

    /// G1 runs one concurrent cycle after another, without a full collection.
    @Test
    void heapThatConstantMarkingDoesNotFreeIsSuspect() {
        assertThat(LeakSuspicion.of(List.of(marked(0, 195), marked(0, 195)))).isFalse();
        assertThat(LeakSuspicion.of(List.of(marked(40, 195), marked(40, 195)))).isTrue();
        assertThat(LeakSuspicion.of(List.of(marked(40, 60), marked(40, 50))))
                .as("marking frees most")
                .isFalse();
    }

    private static Round marked(long cycles, double floorMb) {
        return round(10, 100)
                .gc(
                        new GcActivity(
                                new GcActivity.Count(100, 500),
                                new GcActivity.Count(0, 0),
                                0.1,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(200 * MB),
                                Optional.of(220 * MB),
                                Optional.empty(),
                                new GcActivity.Why(
                                        Map.of(),
                                        cycles,
                                        Optional.of(floorMb * MB),
                                        Optional.empty())))
                .build();
    }

    /// G1 with 300 MB. The old generation contained garbage before its full collections in series.
    @Test
    void suspectsHeapThatStaysFullAfterFullCollections() {
        Round before = holding(0, 180, 190);

        assertThat(LeakSuspicion.of(List.of(before, holding(3, 120, 190)))).isTrue();
        assertThat(LeakSuspicion.of(List.of(before, holding(2, 120, 190))))
                .as("no series")
                .isFalse();
        assertThat(LeakSuspicion.of(List.of(holding(2, 199, 199), holding(2, 199, 199))))
                .as("no series, but nothing was freed: each takes 0.8 s and eden holds the rest")
                .isTrue();
        assertThat(LeakSuspicion.of(List.of(before, holding(3, 90, 190))))
                .as("they free most of it")
                .isFalse();
        assertThat(LeakSuspicion.of(List.of(holding(0, 2200, 2300), holding(3, 2100, 2300))))
                .as("counting would stop it for long")
                .isFalse();
    }

    @Test
    void aHeapThatWouldStopForLongIsNotCounted() {
        assertThat(LeakSuspicion.of(List.of(holding(2100, 2200), holding(2200, 2400)))).isFalse();
    }

    @Test
    void suspectsNothingWithoutFigures() {
        assertThat(LeakSuspicion.of(List.of(round(10, 100).build(), round(20, 100).build())))
                .isFalse();
    }

    @Test
    void reportsCostOfCountingObjects() {
        assertThat(LeakSuspicion.counted(new Signals(Map.of(Sign.LIVE_COUNT_PAUSE_MS, 412.4))))
                .satisfies(w -> {
                    assertThat(w.says()).contains("412 ms").contains("--no-live-count");
                    assertThat(w.spoils()).isFalse();
                });
    }
}
