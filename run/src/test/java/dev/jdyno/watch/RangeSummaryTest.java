package dev.jdyno.watch;

import static dev.jdyno.watch.WatchFixture.START;
import static dev.jdyno.watch.WatchFixture.minute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.watch.WatchedMinute;
import dev.jdyno.measure.watch.WatchedRange;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RangeSummaryTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    private static WatchedRange of(WatchedMinute... minutes) {
        return RangeSummary.of("shop", START, START.plusSeconds(900), List.of(minutes));
    }

    @Test
    void verdictsAreCountedInMinutesTheLongestFirst() {
        WatchedRange range =
                of(
                        minute(0).named(Bottleneck.LOCK).made(1, "a"),
                        minute(1).named(Bottleneck.CPU).made(),
                        minute(2).named(Bottleneck.CPU).made(),
                        minute(3).named(Bottleneck.LOCK).made(1, "b"),
                        minute(4).named(Bottleneck.LOCK).made(1, "b"));

        assertThat(range.verdicts())
                .extracting(WatchedRange.Share::bottleneck, WatchedRange.Share::minutes)
                .containsExactly(tuple(Bottleneck.LOCK, 3), tuple(Bottleneck.CPU, 2));
        assertThat(range.verdicts().getFirst().where()).isEqualTo("b");
        assertThat(range.verdicts().getFirst().confidence()).isCloseTo(0.9, EXACT);
    }

    @Test
    void meansAreWeightedByTimeAndTimesByRequests() {
        WatchedRange range =
                of(minute(0).using(1, 100).made(), minute(1).lasting(30).using(1.6, 400).made());

        assertThat(range.seconds()).isEqualTo(90);
        assertThat(range.means().cores().orElseThrow()).isCloseTo(1.2, EXACT);
        assertThat(range.means().utilisation().orElseThrow()).isCloseTo(0.6, EXACT);
        assertThat(range.means().perS().orElseThrow()).isCloseTo(200, EXACT);
        // 6,000 requests of 10 ms and 12,000 of 4 ms
        assertThat(range.means().cpuMs().orElseThrow()).isCloseTo(6, EXACT);
    }

    @Test
    void lowestHeadroomAndFullestMinuteOfPoolAreKept() {
        WatchedRange range =
                of(
                        minute(0).headroom(1.4).pool(3).made(),
                        minute(1).headroom(1.2).pool(9).made(),
                        minute(2).headroom(1.9).pool(5).made());

        assertThat(range.lowestHeadroom().orElseThrow().ratio()).isEqualTo(1.2);
        assertThat(range.pools()).containsExactly(new WatchedRange.PoolUse("orders", 0.9));
        assertThat(range.jvms()).isEqualTo(1);
    }
}
