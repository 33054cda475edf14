package dev.jdyno.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttentionTest {
    private static final long GAP = 500;
    private static final long BEGIN = -100;

    private final Attention attention = new Attention(Duration.ofNanos(GAP), BEGIN);

    @Test
    void countsFromTheBeginWhileItIsCalledInTime() {
        assertThat(attention.sinceNanos(100)).isEqualTo(BEGIN);
        assertThat(attention.sinceNanos(600)).isEqualTo(BEGIN);
    }

    @Test
    void countsFromEachGap() {
        assertThat(attention.sinceNanos(BEGIN + GAP + 1)).isEqualTo(BEGIN + GAP + 1);
        assertThat(attention.sinceNanos(BEGIN + 2 * GAP)).isEqualTo(BEGIN + GAP + 1);
        assertThat(attention.sinceNanos(9_000)).isEqualTo(9_000);
    }

    /// Two threads may read the clock in one order and call in the other.
    @Test
    void anEarlierTimeIsNoGap() {
        assertThat(attention.sinceNanos(300)).isEqualTo(BEGIN);
        assertThat(attention.sinceNanos(200)).isEqualTo(BEGIN);
        assertThat(attention.sinceNanos(300 + GAP)).isEqualTo(BEGIN);
    }
}
