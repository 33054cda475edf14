package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenessTest {
    private static final long OFFSET = -987_654_321_000L;
    private static final long BEAT = 250_000_000;
    private static final long WAY = 40_000_000;

    private final Lateness lateness = new Lateness();

    private long late(long sent, long way) {
        return lateness.of(sent, sent + OFFSET + way);
    }

    @Test
    void constantDelayIsNotLateForAnyClockOffset() {
        for (int i = 0; i < 500; i++) {
            assertThat(late(i * BEAT, WAY)).isZero();
        }
    }

    @Test
    void delayedBeatsCountFromTheirDueTime() {
        assertThat(late(0, WAY)).isZero();
        long together = 9 * BEAT + OFFSET + WAY;
        for (int i = 1; i < 10; i++) {
            assertThat(lateness.of(i * BEAT, together)).isEqualTo((9 - i) * BEAT);
        }
    }

    @Test
    void longerDelayBecomesUsualAfterHalfAMinute() {
        assertThat(late(0, WAY)).isZero();
        int beats = 1;
        while (late(beats * BEAT, 3 * WAY) > 0) {
            beats++;
        }
        assertThat(beats * BEAT).isBetween(29_000_000_000L, 31_000_000_000L);
    }

    @Test
    void aShorterWayCountsAtOnce() {
        assertThat(late(0, WAY)).isZero();
        assertThat(late(BEAT, WAY / 4)).isZero();
        assertThat(late(2 * BEAT, WAY)).isEqualTo(WAY - WAY / 4);
    }
}
