package dev.jdyno.observe.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.observe.ServerWindow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class GcTallyTest {
    private static final long MB = 1 << 20;

    private final GcTally tally = new GcTally();

    private static GcCounters look(
            long young, long full, long tlab, long edenUsed, boolean edenFull, long old) {
        return new GcCounters(
                false,
                young,
                young * 5_000_000,
                full,
                full * 200_000_000,
                0,
                tlab,
                edenUsed,
                16 * MB,
                edenFull,
                old,
                100 * MB,
                false,
                young + full,
                0,
                0,
                edenFull ? "G1 Evacuation Pause" : "System.gc()",
                0,
                0,
                0);
    }

    private GcActivity taken(double seconds) {
        return tally.take(seconds).orElseThrow();
    }

    @Test
    void smallObjectsAreCountedByAllocationBuffers() {
        tally.add(look(10, 0, 15 * MB, 0, true, 0));
        tally.add(look(12, 0, 15 * MB, 0, true, 0));

        assertThat(taken(2).allocBytesPerS()).contains(15.0 * MB);
    }

    @Test
    void fullEdenCountsObjectsAllocatedOutsideBuffers() {
        tally.add(look(10, 0, MB, 0, true, 0));
        tally.add(look(12, 0, MB, 0, true, 0));

        assertThat(taken(1).allocBytesPerS()).contains(32.0 * MB);
    }

    @Test
    void requestedCollectionDoesNotCountAsFullEden() {
        tally.add(look(10, 0, MB, 0, true, 0));
        tally.add(look(10, 1, MB, 0, false, 0));

        assertThat(taken(1).allocBytesPerS()).contains((double) MB);
    }

    @Test
    void betweenCollectionsTheFillingEdenIsCounted() {
        tally.add(look(10, 0, 15 * MB, 2 * MB, true, 0));
        tally.add(look(10, 0, 15 * MB, 9 * MB, true, 0));

        assertThat(taken(1).allocBytesPerS()).contains(7.0 * MB);
    }

    @Test
    void promotionIsSumOfRisesDespiteFullCollections() {
        tally.add(look(1, 0, MB, 0, true, 10 * MB));
        tally.add(look(2, 0, MB, 0, true, 40 * MB));
        tally.add(look(2, 1, MB, 0, true, 5 * MB));
        tally.add(look(3, 1, MB, 0, true, 15 * MB));

        GcActivity gc = taken(4);
        assertThat(gc.promotedBytesPerS()).contains(10.0 * MB);
        assertThat(gc.young()).isEqualTo(new GcActivity.Count(2, 10));
        assertThat(gc.full()).isEqualTo(new GcActivity.Count(1, 200));
        assertThat(gc.pauseShare()).isCloseTo(0.21 / 4, Offset.offset(1e-9));
    }

    @Test
    void windowStartsAtEndOfPreviousWindow() {
        tally.add(look(1, 0, MB, 0, true, 0));
        tally.add(look(5, 0, MB, 0, true, 0));
        tally.take(1);
        tally.add(look(6, 0, MB, 0, true, 0));

        assertThat(taken(1).young().count()).isEqualTo(1);
    }

    @Test
    void hasNoFiguresBeforeFirstSample() {
        assertThat(tally.take(1)).isEmpty();
    }

    @Test
    void windowsAddUpByTheirLength() {
        var one = new ServerWindow(1, Optional.empty(), Optional.empty(), gcWindow(1, 100));
        var three = new ServerWindow(3, Optional.empty(), Optional.empty(), gcWindow(3, 20));

        ServerWindow both = ServerWindow.over(List.of(one, three));

        assertThat(both.seconds()).isEqualTo(4);
        assertThat(both.gc().orElseThrow().young().count()).isEqualTo(4);
        assertThat(both.gc().orElseThrow().allocBytesPerS()).contains(40.0);
        assertThat(both.gcFor(16).orElseThrow().requestBytes()).contains(10.0);
        assertThat(both.gcFor(0).orElseThrow().requestBytes()).isEmpty();
        assertThat(both.cpu()).isEmpty();
    }

    private static Optional<GcActivity> gcWindow(long young, double alloc) {
        return Optional.of(
                new GcActivity(
                        new GcActivity.Count(young, young),
                        GcActivity.Count.NONE,
                        0,
                        Optional.of(alloc),
                        Optional.of(0.0),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    private static GcCounters shenandoah(long pauses, double pausedS, double stoppedS) {
        return new GcCounters(
                false,
                0,
                0,
                0,
                0,
                Math.round(pausedS * 1e9),
                0,
                0,
                0,
                false,
                90 * MB,
                170 * MB,
                true,
                pauses,
                Math.round(stoppedS * 1e9),
                0,
                "Concurrent GC",
                pauses,
                0,
                0);
    }

    /// Recorded from a service on JDK 17: 16.5 s of pauses in 10 s, of which safepoints took 3.2 s.
    @Test
    void capsNestedShenandoahStopsAtSafepointTime() {
        tally.add(shenandoah(538, 10.76, 2.07));
        tally.add(shenandoah(1489, 27.28, 5.27));

        assertThat(taken(10).pauseShare()).isCloseTo(0.32, Offset.offset(1e-9));
    }

    @Test
    void countsPausesWithoutSafepointCounters() {
        tally.add(shenandoah(5, 1, 0));
        tally.add(shenandoah(9, 2, 0));

        assertThat(taken(10).pauseShare()).isCloseTo(0.1, Offset.offset(1e-9));
    }

    @Test
    void samplesOftenOnlyDuringCollections() {
        Duration pause = GcProbe.CHECK_INTERVAL;
        assertThat(tally.add(look(10, 0, MB, 0, true, 0))).isFalse();
        assertThat(tally.add(look(10, 0, MB, 0, true, 0))).isFalse();
        for (long expected : new long[] {40, 80, 100, 100}) {
            pause = GcProbe.pauseAfter(false, pause);
            assertThat(pause).isEqualTo(Duration.ofMillis(expected));
        }
        assertThat(tally.add(look(11, 0, MB, 0, true, 0))).isTrue();
        assertThat(GcProbe.pauseAfter(true, pause)).isEqualTo(GcProbe.CHECK_INTERVAL);
    }
}
