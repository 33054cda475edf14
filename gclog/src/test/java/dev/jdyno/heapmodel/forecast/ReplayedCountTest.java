package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReplayedCountTest {
    /// Rules that give 1000 collections for a heap of 100, and half of them for a heap of 200.
    private static OptionalLong replay(double heap) {
        return heap < 10 ? OptionalLong.empty() : OptionalLong.of(Math.round(100_000 / heap));
    }

    private static double ratio(long seen, double heap) {
        return ReplayedCount.of(ReplayedCountTest::replay, seen, 100)
                .orElseThrow()
                .ratio(heap)
                .orElseThrow();
    }

    @Test
    void validRulesPredictOtherHeap() {
        assertThat(ratio(1000, 200)).isCloseTo(0.5, offset(0.001));
        assertThat(ratio(1000, 50)).isCloseTo(2, offset(0.004));
    }

    @Test
    void predictsObservedHeapUnchanged() {
        assertThat(ratio(1300, 100)).isCloseTo(1, offset(1e-9));
    }

    /// The run had a fifth more collections than the rules give. On a heap of twice the size, the
    /// square root of this factor applies.
    @Test
    void errorOfRulesMattersLessForDistantHeaps() {
        assertThat(1200 * ratio(1200, 200)).isCloseTo(500 * Math.sqrt(1.2), offset(1.0));
        assertThat(1200 * ratio(1200, 400)).isCloseTo(250 * Math.pow(1.2, 0.25), offset(1.0));
    }

    @Test
    void tooSmallHeapGivesNoPrediction() {
        assertThat(ReplayedCount.of(ReplayedCountTest::replay, 10, 5)).isEmpty();
        assertThat(ReplayedCount.of(ReplayedCountTest::replay, 1000, 100).orElseThrow().ratio(9.9))
                .isEmpty();
    }
}
