package dev.jdyno.trial.rounds;

import static dev.jdyno.measure.RoundFixture.round;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Slice;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SinceWarmUpTest {
    private static final List<Slice> WARMUP =
            List.of(slice(90), slice(250), slice(330), slice(328), slice(334));

    private static Slice slice(double qps) {
        return new Slice(qps, 24, Optional.empty());
    }

    /// A pool of eleven threads is enough for 8 in flight, but not for 20.
    @Test
    void reportsThroughputDropSinceWarmUp() {
        assertThat(
                        SinceWarmUp.fell(
                                8, WARMUP, List.of(round(20, 76).build(), round(40, 79).build())))
                .hasValueSatisfying(w -> {
                    assertThat(w.says()).contains("330 requests/s", "8 in flight", "79/s");
                    assertThat(w.spoils()).isFalse();
                });
    }

    /// 330/s with 8 in flight are 165/s with 4.
    @Test
    void lowerThroughputAtLowerConcurrencyIsNoFall() {
        assertThat(
                        SinceWarmUp.fell(
                                8, WARMUP, List.of(round(2, 83).build(), round(4, 165).build())))
                .isEmpty();
        assertThat(SinceWarmUp.fell(8, WARMUP, List.of(round(4, 79).build()))).isPresent();
    }

    @Test
    void ignoresEqualOrHigherThroughput() {
        assertThat(SinceWarmUp.fell(8, WARMUP, List.of(round(20, 300).build()))).isEmpty();
        assertThat(SinceWarmUp.fell(8, WARMUP, List.of())).isEmpty();
        assertThat(SinceWarmUp.fell(8, List.of(), List.of(round(20, 79).build()))).isEmpty();
    }
}
