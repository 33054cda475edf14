package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ShenandoahRegionsTest {
    private static final double MIB = 1024.0 * 1024.0;
    private static final double HEAP = 240 * MIB; // a cycle may copy 10 MiB of it

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

        // 20 MiB of half-live regions are freed by copying them into 10 MiB of new regions
        assertThat(regions.collect(40 * MIB)).isCloseTo(70 * MIB, within(MIB));
    }

    @Test
    void keepsRegionsWithLittleGarbage() {
        var regions = new ShenandoahRegions(HEAP, 0.9, 0);

        regions.allocate(20 * MIB, 18 * MIB);

        assertThat(regions.collect(18 * MIB)).isCloseTo(20 * MIB, within(1.0));
    }

    /// The oldest regions have the fewest live objects, so they are freed first.
    @Test
    void objectsDieEquallyInAllRegions() {
        var regions = new ShenandoahRegions(HEAP, 0.8, 0);
        for (int i = 0; i < 4; i++) {
            regions.allocate(40 * MIB, 32 * MIB);
        }

        double left = regions.collect(32 * MIB);

        // 32 of 160 MiB are alive. The regions with the most garbage hold less than a fifth of
        // them.
        assertThat(left).isBetween(70 * MIB, 100 * MIB);
    }

    @Test
    void largerHeapLeavesLessGarbageOfTheSameProgram() {
        assertThat(leftOf(480 * MIB)).isLessThan(leftOf(200 * MIB));
    }

    private static double leftOf(double heap) {
        var regions = new ShenandoahRegions(heap, 0.5, 0);
        regions.allocate(150 * MIB, 40 * MIB);
        return regions.collect(40 * MIB);
    }
}
