package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.RoundFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

class FillingHeapTest {
    private static final double CAPACITY = 100;

    @Test
    void reportsHeapThatRisesInAllBlocks() {
        assertThat(FillingHeap.rises(List.of(10.0, 20.0, 30.0), CAPACITY)).isTrue();
        assertThat(FillingHeap.rises(List.of(10.0, 35.0, 40.0), CAPACITY)).isTrue();
    }

    @Test
    void ignoresHeapThatWasCollectedInBetween() {
        assertThat(FillingHeap.rises(List.of(10.0, 60.0, 40.0), CAPACITY)).isFalse();
    }

    @Test
    void ignoresSmallGrowthDuringWarmUp() {
        assertThat(FillingHeap.rises(List.of(10.0, 15.0, 16.0), CAPACITY)).isFalse();
    }

    @Test
    void twoBlocksGiveNoTrend() {
        assertThat(FillingHeap.rises(List.of(10.0, 90.0), CAPACITY)).isFalse();
    }

    @Test
    void unobservedJvmGivesNoTrend() {
        assertThat(
                        FillingHeap.of(
                                List.of(
                                        RoundFixture.round(4, 100).build(),
                                        RoundFixture.round(4, 90).build(),
                                        RoundFixture.round(4, 80).build())))
                .isFalse();
    }
}
