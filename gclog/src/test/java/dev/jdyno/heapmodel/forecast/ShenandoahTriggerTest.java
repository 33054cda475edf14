package dev.jdyno.heapmodel.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When Shenandoah starts a cycle, by the source of its heuristics.
class ShenandoahTriggerTest {
    private static final double HEAP = 1000;
    private static final int LEARNING = 5;

    /// A trigger after five cycles of equal length that leave the same free space, one every tenth
    /// of a second.
    private static ShenandoahTrigger learned(double seconds, double left) {
        var trigger = new ShenandoahTrigger(HEAP);
        for (int i = 0; i < LEARNING; i++) {
            trigger.begins(0.1 * i);
            trigger.ends(seconds, left);
        }
        return trigger;
    }

    @Test
    void firstFiveCyclesStartAtThirtyPercentUse() {
        var trigger = new ShenandoahTrigger(HEAP);
        for (int i = 0; i < LEARNING; i++) {
            assertThat(trigger.fires(701, 0, 0)).isFalse();
            assertThat(trigger.fires(699, 0, 0)).isTrue();
            trigger.begins(0);
            trigger.ends(0.01, 900);
        }

        assertThat(trigger.fires(699, 0, 0)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"101, false", "99, true"})
    void startsCycleBelowTenPercentFree(double free, boolean fires) {
        assertThat(learned(0.01, 900).fires(free, 0, 0)).isEqualTo(fires);
    }

    /// The allocation rate is 1000 bytes a second and a cycle takes 0.2 s. Free space, without a
    /// twentieth of the heap, must last for that time.
    @ParameterizedTest
    @CsvSource({"251, false", "249, true"})
    void startsCycleIfFreeSpaceLastsForItsLength(double free, boolean fires) {
        ShenandoahTrigger trigger = learned(0.2, 900);
        trigger.begins(1);

        assertThat(trigger.fires(free, 200, 1.2)).isEqualTo(fires);
    }

    /// The allocation rate is first sampled a tenth of a second after the start of a cycle.
    @Test
    void rateIsUnknownForCyclesInQuickSuccession() {
        ShenandoahTrigger trigger = learned(0.2, 900);
        trigger.begins(1);

        assertThat(trigger.fires(200, 90, 1.09)).isFalse();
        assertThat(trigger.fires(200, 110, 1.11)).isTrue();
    }

    /// At 240 free bytes, a cycle of 0.2 s starts at rates of at least 950 bytes a second.
    @Test
    void keepsRateUntilNextSample() {
        ShenandoahTrigger trigger = learned(0.2, 900);
        trigger.begins(1);
        assertThat(trigger.fires(500, 200, 1.2)).isFalse();
        trigger.begins(1.3);
        trigger.ends(0.2, 900);

        assertThat(trigger.fires(240, 0, 1.35)).isTrue();
    }

    /// A burst at four times the rate: the current rate exceeds the prediction from the mean rate.
    @Test
    void burstOfAllocationStartsACycle() {
        ShenandoahTrigger trigger = learned(0.05, 900);
        trigger.begins(1);
        double bytes = 0;
        for (int i = 1; i <= 12; i++) {
            bytes += i % 2 == 0 ? 100 : 110;
            assertThat(trigger.fires(500, bytes, 1 + 0.11 * i)).isFalse();
        }

        assertThat(trigger.fires(300, bytes + 600, 1 + 0.11 * 13)).isTrue();
    }
}
