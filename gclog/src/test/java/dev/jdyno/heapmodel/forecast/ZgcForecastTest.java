package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.ZgcYoung;
import dev.jdyno.measure.text.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ZgcForecastTest {
    private static final double MIB = 1024.0 * 1024.0;

    /// A steady program: constant live size, constant length of a collection, and constant
    /// allocation rate.
    ///
    /// @param beginsAt used size when a collection starts
    private record Steady(
            double heap, double alive, double markS, double bytesPerS, double beginsAt, int count) {
        List<ZgcYoung> collections() {
            List<ZgcYoung> all = new ArrayList<>();
            double nowS = 0;
            double used = 0;
            for (int i = 0; i < count; i++) {
                double fills = Math.max(0, beginsAt - used);
                nowS += fills / bytesPerS;
                double marking = markS * bytesPerS;
                used = alive + marking;
                all.add(
                        new ZgcYoung(
                                "Allocation Rate",
                                false,
                                nowS,
                                markS,
                                markS,
                                0,
                                0,
                                beginsAt,
                                used,
                                beginsAt,
                                used,
                                heap - beginsAt,
                                heap - beginsAt - marking,
                                heap - used,
                                marking,
                                0,
                                0));
                nowS += markS;
            }
            return all;
        }

        HeapObservation seen() {
            return observation(heap, collections());
        }
    }

    private static HeapObservation observation(double heap, List<ZgcYoung> young) {
        return new HeapObservation(
                HeapObservation.Kind.ZGC,
                OptionalInt.of(25),
                heap,
                Optional.empty(),
                20 * MIB,
                false,
                30 * MIB,
                10,
                30_000 * MIB,
                0,
                0,
                0,
                Math.max(1, young.size()),
                0,
                0,
                4,
                Optional.empty(),
                young,
                List.of());
    }

    /// 1 GiB/s, 20 MiB alive, 20 ms. At the start of a collection, 6 MiB + 0.02/0.95 × 2 × 1.11
    /// GiB/s are free, about 54 MiB.
    private static final Steady STEADY =
            new Steady(200 * MIB, 20 * MIB, 20e-3, 1024 * MIB, 146 * MIB, 200);

    @Test
    void forecastForTheObservedHeapEqualsTheLog() {
        HeapForecast same = HeapForecast.of(STEADY.seen(), Bytes.mebi(200));

        assertThat(same.cycles()).isCloseTo(200, offset(1e-9));
        assertThat(same.pauseMs()).isCloseTo(4, offset(1e-9));
    }

    /// Between two collections, the program fills the heap, except for the live set and the space
    /// that must be free at the start: 54 MiB on any heap.
    @Test
    void freeSpaceAtStartOfCollectionIsIndependentOfHeap() {
        for (double heap : new double[] {150, 300, 480, 900}) {
            // medium pages grow with the heap, and so does the headroom
            double there = heap - 20 - 48 - ZgcDirector.headroom(heap * MIB) / MIB;
            double here = 200 - 20 - 48 - 6;

            HeapForecast forecast = HeapForecast.of(STEADY.seen(), Bytes.mebi(heap));

            assertThat(forecast.cycles()).isCloseTo(200 * here / there, withPercentage(12));
        }
    }

    @Test
    void thePausesOfRarerCyclesAreLonger() {
        HeapForecast larger = HeapForecast.of(STEADY.seen(), Bytes.mebi(480));

        double each = larger.pauseMs() / larger.cycles() / (4 / 200.0);
        assertThat(each).isCloseTo(Math.pow(larger.cycles() / 200, -0.15), offset(1e-9));
        assertThat(each).isBetween(1.0, 1.4);
    }

    /// On a small heap, collections are frequent, and survivors are promoted sooner. They stay in
    /// old until it is collected.
    @Test
    void survivorsUseOldSpaceOfSmallerHeap() {
        var none = new Steady(480 * MIB, 0, 20e-3, 1024 * MIB, 420 * MIB, 200);
        var some = new Steady(480 * MIB, 60 * MIB, 20e-3, 1024 * MIB, 420 * MIB, 200);
        double free = 200 - 48 - ZgcDirector.headroom(200 * MIB) / MIB;
        double promoted = 60 * (1 - 200 / 480.0);

        double more = cyclesAt200(some) / cyclesAt200(none);

        double here = (420 - 60 - 20) / (420.0 - 20);
        double there = (free - 20) / (free - 60 - promoted - 20);
        assertThat(more).isCloseTo(here * there, withPercentage(35));
        // without promotion, survivors alone would give this many collections
        assertThat(more).isGreaterThan(here * (free - 20) / (free - 60 - 20));
    }

    private static double cyclesAt200(Steady program) {
        return HeapForecast.of(program.seen(), Bytes.mebi(200)).cycles();
    }

    @Test
    void moreHeapNeverMeansManyMoreCycles() {
        double last = Double.POSITIVE_INFINITY;
        for (double heap = 120; heap < 2000; heap *= 1.3) {
            double cycles = HeapForecast.of(STEADY.seen(), Bytes.mebi(heap)).cycles();

            assertThat(cycles).isLessThan(1.05 * last);
            last = cycles;
        }
    }

    /// Threads stall at every collection, which frees all but the live set. Between two
    /// collections, the heap fills completely.
    @Test
    void fastAllocationFillsWholeHeap() {
        var fast = new Steady(200 * MIB, 40 * MIB, 100e-3, 8192 * MIB, 200 * MIB, 1);
        List<ZgcYoung> stalling = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            double startS = i * 0.12;
            // all threads allocate while pages are freed, and no thread while marking
            stalling.add(
                    new ZgcYoung(
                            "Allocation Stall",
                            false,
                            startS,
                            0.12,
                            0.1,
                            0.02,
                            0,
                            fast.heap(),
                            fast.heap(),
                            fast.heap(),
                            fast.heap(),
                            0,
                            0,
                            0,
                            0,
                            0,
                            160 * MIB));
        }

        HeapForecast larger = HeapForecast.of(observation(fast.heap(), stalling), Bytes.mebi(360));

        assertThat(larger.cycles()).isBetween(45.0, 80.0);
    }

    /// If the heap is smaller than the live set, the replay gives no result, and the older rule is
    /// used.
    @Test
    void doesNotReplayHeapBelowLiveSet() {
        List<ZgcYoung> young = STEADY.collections();
        var history = new ZgcHistory(young);

        assertThat(ZgcReplay.collections(history, 200 * MIB, 12 * MIB))
                .isEqualTo(OptionalLong.empty());
        assertThat(HeapForecast.of(observation(200 * MIB, young), Bytes.mebi(12)).cycles())
                .isGreaterThan(200);
    }

    @Test
    void aLogWithoutTablesIsForecastWithoutReplay() {
        HeapObservation bare = observation(200 * MIB, List.of());

        assertThat(ZgcForecast.of(bare)).isEmpty();
        assertThat(ZgcForecast.of(observation(200 * MIB, STEADY.collections().subList(0, 4))))
                .isEmpty();
        assertThat(HeapForecast.of(bare, Bytes.mebi(400)).cycles()).isLessThan(1);
    }

    @Test
    void findsPointOfRunByAllocatedBytes() {
        var history = new ZgcHistory(STEADY.collections());
        double each = STEADY.beginsAt() - STEADY.alive();

        assertThat(history.size()).isEqualTo(200);
        assertThat(history.nearest(-1)).isZero();
        assertThat(history.nearest(0)).isZero();
        assertThat(history.nearest(each * 0.4)).isZero();
        assertThat(history.nearest(each * 0.6)).isOne();
        assertThat(history.nearest(each * 7)).isEqualTo(7);
        assertThat(history.nearest(each * 1e6)).isEqualTo(199);
        assertThat(history.allocated())
                .isCloseTo(199 * each + 20e-3 * 1024 * MIB, withPercentage(0.01));
    }

    @Test
    void allocationRateCountsOnlyTheTimeInWhichThreadsRun() {
        assertThat(new ZgcHistory(STEADY.collections()).allocationRate())
                .isCloseTo(STEADY.bytesPerS(), withPercentage(0.01));

        // No memory was free when marking ended. No log line shows for how long threads ran before.
        List<ZgcYoung> some = new ArrayList<>(STEADY.collections());
        some.replaceAll(c -> c.startS() > 5 ? full(c, 0.3) : c);
        assertThat(new ZgcHistory(some).allocationRate())
                .isCloseTo(STEADY.bytesPerS(), withPercentage(0.01));
    }

    /// An interval in which the heap filled faster than in all others is one in which threads ran
    /// all the time.
    @Test
    void stallGivesMinimumAllocationRate() {
        List<ZgcYoung> some = new ArrayList<>(STEADY.collections());
        some.replaceAll(c -> c.startS() > 5 ? full(c, 2) : c);

        assertThat(new ZgcHistory(some).allocationRate())
                .isGreaterThan(1.05 * STEADY.bytesPerS())
                .isLessThan(2 * STEADY.bytesPerS());
    }

    private static ZgcYoung full(ZgcYoung c, double pace) {
        return new ZgcYoung(
                c.cause(),
                c.major(),
                c.startS(),
                c.seconds(),
                c.markS(),
                c.relocateS(),
                c.oldS(),
                c.usedBytes(),
                c.usedAfterBytes(),
                c.youngBytes(),
                c.youngAfterBytes(),
                c.freeBytes(),
                0,
                0,
                c.allocatedMarking() * pace,
                0,
                0);
    }

    /// The part of old above its later minimum is garbage.
    @Test
    void floorOfOldIsMinimumOfTheRest() {
        double[] old = {0, 10, 30, 20, 25};
        List<ZgcYoung> all = new ArrayList<>();
        for (int i = 0; i < old.length; i++) {
            all.add(
                    new ZgcYoung(
                            i == 1 ? "Warmup" : "Allocation Rate",
                            i == 1 || i == 2,
                            i,
                            0.1,
                            0.1,
                            0,
                            i == 2 ? 0.5 : 0,
                            50 + old[i],
                            60,
                            50,
                            50,
                            100,
                            100,
                            100,
                            10,
                            5,
                            5));
        }
        var history = new ZgcHistory(all);

        assertThat(history.oldFloor(0)).isZero();
        assertThat(history.oldFloor(1)).isEqualTo(10);
        assertThat(history.oldFloor(2)).isEqualTo(20);
        assertThat(history.oldFloor(4)).isEqualTo(25);
        assertThat(history.collection(2).survivedBytes()).isEqualTo(30);
        assertThat(history.oldS()).isEqualTo(0.5);
        assertThat(history.majorShare()).isEqualTo(0.25);
    }
}
