package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.jdyno.heapmodel.forecast.ZgcDirector.Reason;
import dev.jdyno.heapmodel.simulation.DecayingAverage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZgcDirectorTest {
    private static final double MIB = 1024.0 * 1024.0;
    private static final double HEAP = 400 * MIB;

    /// Allocation rate, in bytes a second.
    private static final double PACE = 1000 * MIB;

    private static ZgcAllocationRate steady(double heap, int samples) {
        var rate = new ZgcAllocationRate(heap);
        double nowS = 0;
        for (int i = 0; i < samples; i++) {
            double bytes = rate.left();
            nowS += bytes / PACE;
            rate.allocated(bytes, nowS);
        }
        return rate;
    }

    private static ZgcDirector warm(double youngS, double oldS) {
        var director = new ZgcDirector(HEAP, oldS, steady(HEAP, 200));
        for (int i = 0; i < 3; i++) {
            director.ended(youngS, youngS / 2, true);
            director.collectsOld(0, 0);
        }
        return director;
    }

    /// The logs of JDK 25 show medium pages of at most 4 MiB for a heap of 200 MiB.
    @ParameterizedTest(name = "{0} MiB: samples of {1} MiB, headroom {2} MiB")
    @CsvSource({
        "100, 2, 4",
        "200, 2, 6",
        "320, 4, 10",
        "480, 4, 10",
        "1024, 8, 34",
        "65536, 512, 34"
    })
    void sizesScaleWithHeap(double heapMiB, double sampleMiB, double headroomMiB) {
        assertThat(new ZgcAllocationRate(heapMiB * MIB).sampleBytes()).isEqualTo(sampleMiB * MIB);
        assertThat(ZgcDirector.headroom(heapMiB * MIB)).isEqualTo(headroomMiB * MIB);
    }

    @Test
    void halvesTimeOfSteadyRate() {
        ZgcAllocationRate rate = steady(HEAP, 300);

        assertThat(rate.lastsS(PACE)).isCloseTo(0.5 / 1.11, withPercentage(3));
        assertThat(rate.lastsS(PACE / 4)).isCloseTo(rate.lastsS(PACE) / 4, offset(1e-9));
    }

    /// With an irregular rate, free memory is expected to last for a shorter time.
    @Test
    void freeMemoryLastsShorterAtAnIrregularRate() {
        ZgcAllocationRate unsteady = new ZgcAllocationRate(HEAP);
        double nowS = 0;
        for (int i = 0; i < 600; i++) {
            double bytes = unsteady.left();
            nowS += bytes / PACE * (i / 60 % 2 == 0 ? 0.2 : 1.8);
            unsteady.allocated(bytes, nowS);
        }

        assertThat(unsteady.lastsS(PACE)).isLessThan(0.8 * steady(HEAP, 300).lastsS(PACE));
    }

    @Test
    void rateIsUnknownBeforeFirstSample() {
        assertThat(steady(HEAP, 0).isKnown()).isFalse();
        assertThat(steady(HEAP, 1).isKnown()).isTrue();
    }

    @Test
    void warmUpCollectionsStartAtTenTwentyAndThirtyPercentUse() {
        var director = new ZgcDirector(HEAP, 0, steady(HEAP, 0));

        for (int step = 1; step <= 3; step++) {
            double at = step * HEAP / 10;
            assertThat(director.decides(at - 1, at - 1, 0)).isEmpty();
            assertThat(director.decides(at, at, 0)).contains(Reason.WARMUP);
            director.ended(0.001, 0.001, true);
        }
        assertThat(director.decides(HEAP / 2, HEAP / 2, 0)).isEmpty();
    }

    /// Free memory lasts for about free / (2 × rate). A collection of 50 ms starts if it would end
    /// less than 5 % before that.
    @Test
    void beginsWhenFreeMemoryLastsAsLongAsACollection() {
        double enough = 50e-3 / 0.95 * PACE * 2 * 1.11 + 14 * MIB;
        double used = HEAP - enough;

        assertThat(warm(50e-3, 0).decides(used * 0.95, 100 * MIB, 0)).isEmpty();
        assertThat(warm(50e-3, 0).decides(used * 1.05, 100 * MIB, 0))
                .contains(Reason.ALLOCATION_RATE);
        assertThat(warm(25e-3, 0).decides(used * 1.05, 100 * MIB, 0)).isEmpty();
    }

    @Test
    void noCollectionStartsForAYoungGenerationOfFivePercent() {
        ZgcDirector director = warm(10, 0);

        assertThat(director.decides(HEAP - 1, HEAP * 0.05, 0)).isEmpty();
        assertThat(director.decides(HEAP - 1, HEAP * 0.051, 0)).contains(Reason.ALLOCATION_RATE);
    }

    @Test
    void collectsAtHighUsageOfSlowProgram() {
        ZgcDirector director = warm(1e-9, 0);

        // 10 MiB of headroom, and 5 % of 400 MiB
        assertThat(director.decides(HEAP - 31 * MIB, HEAP / 2, 0)).isEmpty();
        assertThat(director.decides(HEAP - 29 * MIB, HEAP / 2, 0)).contains(Reason.HIGH_USAGE);
    }

    /// The interval is 49 times the length of a young and an old collection, and use grew by a
    /// tenth of the heap.
    @Test
    void startsProactiveCollectionIfCheap() {
        ZgcDirector director = warm(10e-3, 10e-3);
        double used = HEAP * 0.11;

        assertThat(director.decides(used, used, 0.98)).isEmpty();
        assertThat(director.decides(used, used, 1.0)).contains(Reason.PROACTIVE);
        assertThat(director.decides(HEAP * 0.09, HEAP * 0.09, 10)).isEmpty();
        assertThat(warm(10e-3, 0).decides(used, used, 10)).isEmpty();

        director.collectsOld(used, 1.0);
        assertThat(director.decides(HEAP * 0.2, HEAP * 0.2, 10)).isEmpty();
        assertThat(director.decides(HEAP * 0.22, HEAP * 0.22, 10)).contains(Reason.PROACTIVE);
    }

    /// After one long collection, only the next few collections start early.
    @Test
    void aLongCollectionIsForgottenSoon() {
        var lengths = DecayingAverage.ofZgc();
        for (int i = 0; i < 10; i++) {
            lengths.add(1);
        }
        assertThat(lengths.most()).isEqualTo(1);

        lengths.add(10);
        double afterwards = lengths.most();
        for (int i = 0; i < 8; i++) {
            lengths.add(1);
        }

        assertThat(afterwards).isGreaterThan(10);
        assertThat(lengths.most()).isBetween(1.0, 1.3);
    }
}
