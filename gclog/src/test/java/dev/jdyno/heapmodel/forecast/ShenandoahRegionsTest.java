package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ShenandoahRegionsTest {
    private static final double MIB = 1024.0 * 1024.0;
    private static final double HEAP = 240 * MIB; // of which a cycle copies 10 MiB

    @Test
    void freesRegionsWithoutLiveObjects() {
        var regions = new ShenandoahRegions(HEAP, 0.1, 1);

        regions.allocate(200 * MIB, 5 * MIB);

        assertThat(regions.collect(5 * MIB)).isZero();
    }

    @Test
    void garbageStaysBeyondCopyLimitOfCycle() {
        var regions = new ShenandoahRegions(HEAP, 0.5, 0);

        regions.allocate(80 * MIB, 40 * MIB);

        // 20 MiB of regions half full of what lives are emptied, into 10 MiB of new ones
        assertThat(regions.collect(40 * MIB)).isCloseTo(70 * MIB, within(MIB));
    }

    @Test
    void keepsRegionsWithLittleGarbage() {
        var regions = new ShenandoahRegions(HEAP, 0.9, 0);

        regions.allocate(20 * MIB, 18 * MIB);

        assertThat(regions.collect(18 * MIB)).isCloseTo(20 * MIB, within(1.0));
    }

    /// The older the emptier: what was filled first is freed first.
    @Test
    void objectsDieEquallyInAllRegions() {
        var regions = new ShenandoahRegions(HEAP, 0.8, 0);
        for (int i = 0; i < 4; i++) {
            regions.allocate(40 * MIB, 32 * MIB);
        }

        double left = regions.collect(32 * MIB);

        // 32 MiB of 160 are alive, and those with the most garbage hold less than a fifth of it
        assertThat(left).isBetween(70 * MIB, 100 * MIB);
    }

    @Test
    void aLargerHeapLeavesLessGarbageOfTheSame() {
        assertThat(leftOf(480 * MIB)).isLessThan(leftOf(200 * MIB));
    }

    private static double leftOf(double heap) {
        var regions = new ShenandoahRegions(heap, 0.5, 0);
        regions.allocate(150 * MIB, 40 * MIB);
        return regions.collect(40 * MIB);
    }
}
