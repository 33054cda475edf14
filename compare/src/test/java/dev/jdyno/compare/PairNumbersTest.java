package dev.jdyno.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.compare.Metric.Load;
import org.junit.jupiter.api.Test;

class PairNumbersTest {
    private final PairNumbers numbers = new PairNumbers();

    @Test
    void pairsBlocksOfConsecutiveVariants() {
        for (int start = 0; start < 2; start++) {
            numbers.align();
            int first = numbers.next(Arm.B, Load.SATURATED);
            numbers.next(Arm.B, Load.FIXED_RATE);
            int second = numbers.next(Arm.B, Load.SATURATED);

            assertThat(numbers.next(Arm.A, Load.SATURATED)).isEqualTo(first);
            numbers.next(Arm.A, Load.FIXED_RATE);
            assertThat(numbers.next(Arm.A, Load.SATURATED)).isEqualTo(second).isGreaterThan(first);
        }
    }

    @Test
    void pairsContinueAfterStoppedVariant() {
        numbers.align();
        numbers.next(Arm.A, Load.UNDER_GOAL);
        int stopped = numbers.next(Arm.A, Load.UNDER_GOAL);
        numbers.next(Arm.B, Load.UNDER_GOAL);

        numbers.align();
        numbers.align();

        assertThat(numbers.next(Arm.B, Load.UNDER_GOAL)).isGreaterThan(stopped);
        assertThat(numbers.next(Arm.A, Load.UNDER_GOAL)).isEqualTo(stopped + 1);
    }
}
