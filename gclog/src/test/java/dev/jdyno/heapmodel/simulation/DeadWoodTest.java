package dev.jdyno.heapmodel.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadWoodTest {
    /// A cache program on Serial, JDK 25, 200 MiB, with 42 MiB alive.
    @Test
    void eachFourthFullCollectionOfSerialLeavesNone() {
        assertThat(DeadWood.withoutSerial(49, List.of(42.0, 49.0, 48.0, 49.0, 42.0, 49.0), 136.4))
                .isCloseTo(42.2, offset(0.05));
        assertThat(DeadWood.withoutSerial(42, List.of(42.0, 42.0, 42.0, 42.0), 327)).isEqualTo(42);
    }

    /// A program that drops everything at its end leaves less than the dead wood that Serial may
    /// keep.
    @Test
    void subtractsOnlyGarbageOfOldGeneration() {
        assertThat(DeadWood.withoutSerial(47, List.of(47.0, 47.0, 47.0, 12.0), 140)).isEqualTo(40);
        assertThat(DeadWood.withoutSerial(47, List.of(), 140)).isEqualTo(47);
    }

    @Test
    void floorBeforeTheLastFourFullCollectionsDoesNotCount() {
        assertThat(DeadWood.withoutSerial(49, List.of(42.0, 49.0, 49.0, 49.0, 49.0), 136.4))
                .isEqualTo(49);
    }

    /// A cache program on Parallel, JDK 25, with 42 MiB alive. Each case is the size after a full
    /// collection.
    @ParameterizedTest
    @CsvSource({"47, 107", "49, 136", "50, 160", "53, 218", "54, 240", "58, 327"})
    void parallelFullCollectionsLeaveFivePercentMoreInOld(double left, double old) {
        assertThat(DeadWood.withoutParallel(left, OptionalInt.of(25), old))
                .isCloseTo(42, offset(0.7));
        assertThat(DeadWood.withoutParallel(left, OptionalInt.empty(), old))
                .isEqualTo(DeadWood.withoutParallel(left, OptionalInt.of(25), old));
        assertThat(DeadWood.withoutParallel(left, OptionalInt.of(17), old)).isEqualTo(left);
    }

    @Test
    void atLeastHalfOfRemainderIsAlive() {
        assertThat(DeadWood.withoutParallel(4, OptionalInt.of(25), 1000)).isEqualTo(2);
    }
}
