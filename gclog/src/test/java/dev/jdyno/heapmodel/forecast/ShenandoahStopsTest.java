package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.measure.gc.HeapObservation;
import dev.jdyno.measure.gc.ShenandoahCycle;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShenandoahStopsTest {
    private static final double MIB = 1024.0 * 1024.0;

    /// The first two cases are from logs of JDK 25 ("Heap Region Count").
    @ParameterizedTest
    @CsvSource({"200, 800", "480, 1920", "1024, 2048", "4096, 2048", "131072, 4096"})
    void regionsGrowWithTheHeap(double heapMiB, double regions) {
        assertThat(ShenandoahStops.regions(heapMiB * MIB)).isEqualTo(regions);
    }

    @Test
    void pausesGrowWithNumberOfRegions() {
        assertThat(ShenandoahStops.meanMs(seen(0), 0.1, 480 * MIB))
                .isCloseTo(0.1 + 1120 * 49e-6, within(1e-6));
        assertThat(ShenandoahStops.meanMs(seen(MIB), 0.1, 480 * MIB))
                .isCloseTo(0.1 + 1120 * 87e-6, within(1e-6));
    }

    @Test
    void pauseOnTheSmallestHeapIsAboveZero() {
        assertThat(ShenandoahStops.meanMs(seen(MIB), 0.05, 10 * MIB))
                .isCloseTo(0.015, within(1e-6));
    }

    private static HeapObservation seen(double freedBytes) {
        return new HeapObservation(
                HeapObservation.Kind.SHENANDOAH,
                OptionalInt.of(25),
                200 * MIB,
                Optional.empty(),
                0,
                false,
                0,
                10,
                1000 * MIB,
                0,
                0,
                0,
                1,
                0,
                0,
                0.1,
                Optional.empty(),
                List.of(),
                List.of(
                        new ShenandoahCycle(
                                1, 0.01, MIB, 20 * MIB, 150 * MIB, 10 * MIB, freedBytes)));
    }
}
