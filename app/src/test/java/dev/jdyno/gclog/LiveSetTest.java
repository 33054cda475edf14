package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a log tells of the live set, and of the pauses when it is there.
class LiveSetTest {
    private static FloorTrend floors(double... fullAt) {
        var trend = new FloorTrend();
        for (int i = 0; i < 20; i++) {
            boolean full = java.util.Arrays.binarySearch(fullAt, i) >= 0;
            trend.oldCollected(full);
            trend.left(i, full ? 42 : 126 + i % 3, i + 1L);
        }
        return trend;
    }

    @Test
    void fullCollectionsTellTheLiveSetBetterThanMarking() {
        assertThat(FloorTrend.live(floors(12, 15).finish())).hasValue(42.0);
    }

    @Test
    void fullCollectionsOfLongAgoDoNotTellIt() {
        assertThat(FloorTrend.live(floors(2, 3).finish()).orElseThrow()).isBetween(126.0, 128.0);
    }

    @Test
    void thePauseOfALifetimeIsTheMeanOfTheLaterHalf() throws IOException {
        String log =
                IntStream.range(0, 200)
                        .mapToObj(i ->
                                String.format(
                                        Locale.ROOT,
                                        "%d.000: [GC [PSYoungGen: 300000K->1000K(308224K)]"
                                                + " 320000K->21000K(458752K), %.7f secs]%n",
                                        i + 1,
                                        i < 90 ? 0.4 : i % 4 == 0 ? 0.05 : 0.01))
                        .collect(Collectors.joining());
        Analysis a =
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);

        assertThat(a.copying().orElseThrow().pauseMs()).isCloseTo(20, within(1.0));
    }
}
