package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockOffsetTest {
    private static final long OFFSET = 123_456_789_000L;

    @Test
    void offsetIsUnknownBeforeFirstExchange() {
        assertThat(new ClockOffset().at(0)).isEmpty();
    }

    @Test
    void statedErrorHoldsForAsymmetricDelays() {
        var random = new Random(3);
        var offset = new ClockOffset();
        long now = 0;
        for (int i = 0; i < 500; i++) {
            long there = 50_000L + random.nextInt(5_000_000);
            long back = 50_000L + random.nextInt(5_000_000);
            long work = random.nextInt(1_000_000);
            long reached = now + there + OFFSET;
            offset.add(now, reached, reached + work, now + there + work + back);
            now += 250_000_000;

            ClockOffset.Estimate estimate = offset.at(now).orElseThrow();

            assertThat(Math.abs(estimate.offsetNanos() - OFFSET))
                    .isLessThanOrEqualTo(estimate.errorNanos());
        }
    }

    @Test
    void theExchangeWithTheLeastRoundTripCounts() {
        var offset = new ClockOffset();
        offset.add(0, OFFSET + 9_000_000, OFFSET + 9_000_000, 10_000_000);
        offset.add(20_000_000, OFFSET + 20_100_000, OFFSET + 20_100_000, 20_200_000);
        offset.add(30_000_000, OFFSET + 31_000_000, OFFSET + 31_000_000, 40_000_000);

        ClockOffset.Estimate estimate = offset.at(40_000_000).orElseThrow();

        assertThat(estimate.roundTripNanos()).isEqualTo(200_000);
        assertThat(estimate.offsetNanos()).isEqualTo(OFFSET);
    }

    @Test
    void anOldExchangeCountsLessThanANewExchange() {
        var offset = new ClockOffset();
        offset.add(0, OFFSET + 50_000, OFFSET + 50_000, 100_000);
        long later = 100_000_000_000L;
        offset.add(later, OFFSET + later + 500_000, OFFSET + later + 500_000, later + 1_000_000);

        assertThat(offset.at(later + 1_000_000).orElseThrow().roundTripNanos())
                .isEqualTo(1_000_000);
    }
}
