package dev.jdyno.measure;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.gc.GcActivity;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Share of a round in which the JVM was stopped for other reasons than collections.
class OtherStopsTest {
    /// @param pauses number of pauses in the six seconds of the round
    private static GcActivity collections(long pauses) {
        return new GcActivity(
                new GcActivity.Count(pauses, 20 * pauses),
                GcActivity.Count.NONE,
                0.02 * pauses / 6,
                Optional.of(1e6),
                Optional.of(0.0),
                Optional.of(1e4),
                Optional.of(1e7),
                Optional.of(1e8));
    }

    /// ParallelGC on a saturated machine: 148 collections in 6 s, 23.7 stops a second.
    @Test
    void timeBeyondGcPauseIsNoOtherStop() {
        Round all = round(40, 492).gc(collections(148)).stops(0.164, 0.01, 23.7).build();

        assertThat(all.collectionsPerS()).isBetween(24.0, 25.0);
        assertThat(all.otherStopsShare()).isZero();
    }

    @Test
    void threadDumpsAreOtherStops() {
        Round dumped = round(24, 8000).gc(collections(12)).stops(0.34, 0.01, 8.6).build();

        assertThat(dumped.otherStopsShare()).isEqualTo(0.34);
    }

    /// Collections of 10 ms that wait 0.6 s each for a counted loop without polls.
    @Test
    void countsWaitForLateThread() {
        Round late = round(20, 330).gc(collections(9)).stops(0.007, 0.92, 1.5).build();

        assertThat(late.otherStopsShare()).isEqualTo(0.92);
    }

    /// On a saturated machine, each stop waits 12 ms for a thread without a core.
    @Test
    void waitForCoreIsNoStop() {
        Round crowded = round(40, 492).gc(collections(148)).stops(0.164, 0.28, 23.7).build();

        assertThat(crowded.otherStopsShare()).isZero();
    }

    @Test
    void stopsAreUnknownWithoutJvmCounters() {
        assertThat(round(4, 100).build().otherStopsShare()).isZero();
    }
}
