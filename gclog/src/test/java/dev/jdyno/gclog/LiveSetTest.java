package dev.jdyno.gclog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.gclog.event.PauseKind;
import dev.jdyno.gclog.sums.Analysis;
import dev.jdyno.gclog.sums.FloorTrend;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a log shows of the live set, and of the pauses with a complete live set.
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
    void prefersFullCollectionsToMarking() {
        assertThat(FloorTrend.live(floors(12, 15).finish())).hasValue(42.0);
    }

    @Test
    void ignoresOldFullCollections() {
        assertThat(FloorTrend.live(floors(2, 3).finish()).orElseThrow()).isBetween(126.0, 128.0);
    }

    private static FloorTrend marked(PauseKind... then) {
        var trend = new FloorTrend();
        trend.marked();
        for (int i = 0; i < then.length; i++) {
            trend.collected(then[i]);
            trend.left(i, 100 - 10L * i, i + 1L);
        }
        return trend;
    }

    @Test
    void markingWithoutMixedCollectionsGivesNoLiveSet() {
        assertThat(marked().finish()).isEmpty();
        assertThat(marked(PauseKind.PREPARE_MIXED).finish()).isEmpty();
        assertThat(marked(PauseKind.YOUNG).finish()).isEmpty();
        assertThat(marked(PauseKind.PREPARE_MIXED, PauseKind.MIXED, PauseKind.MIXED).finish())
                .isEmpty();
        assertThat(marked(PauseKind.PREPARE_MIXED).atMost()).hasValue(100.0);
    }

    @Test
    void endOfMixedCollectionsGivesLiveSet() {
        FloorTrend trend = marked(PauseKind.PREPARE_MIXED, PauseKind.MIXED, PauseKind.YOUNG);

        assertThat(FloorTrend.live(trend.finish())).hasValue(80.0);
    }

    @Test
    void markingWithoutReclaimableSpaceGivesLiveSet() {
        FloorTrend trend = marked(PauseKind.YOUNG, PauseKind.YOUNG);

        assertThat(FloorTrend.live(trend.finish())).hasValue(90.0);
    }

    /// Lines of JDK 25 while a program kept 174 MB. This collection promoted 51 MB. They are
    /// missing in the young size at its end, and in the count of old, which began earlier.
    @Test
    void countsPromotionOfMajorZgcCollectionAsAlive() throws IOException {
        String log =
                """
                [8.710s][info][gc          ] GC(5) Major Collection (Proactive)
                [8.710s][info][gc,phases   ] GC(5) Y: Young Generation
                [8.758s][info][gc,heap     ] GC(5) Y: Young Generation Statistics:
                [8.758s][info][gc,heap     ] GC(5) Y:      Used:      290M (58%)         292M (58%)         242M (48%)          98M (20%)
                [8.758s][info][gc,heap     ] GC(5) Y:      Live:         -               141M (28%)          90M (18%)          89M (18%)
                [8.758s][info][gc,phases   ] GC(5) Y: Young Generation 324M(65%)->186M(37%) 0.048s
                [8.758s][info][gc,phases   ] GC(5) O: Old Generation
                [8.763s][info][gc,heap     ] GC(5) O: Old Generation Statistics:
                [8.763s][info][gc,heap     ] GC(5) O:      Live:         -                30M (6%)           30M (6%)           30M (6%)
                [8.764s][info][gc,phases   ] GC(5) O: Old Generation 186M(37%)->186M(37%) 0.006s
                [8.764s][info][gc          ] GC(5) Major Collection (Proactive) 324M(65%)->186M(37%) 0.053s
                """;
        Analysis a =
                GcLog.read(
                        "test",
                        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)),
                        GcLog.Options.DEFAULT);

        assertThat(a.heap().liveBytes()).hasValue(171.0 * (1 << 20));
    }

    /// A leak on Parallel. The old generation is full at three quarters of the heap, and then young
    /// fills, too.
    @Test
    void riseEndsAtFullOldGeneration() {
        var trend = new FloorTrend();
        for (int i = 0; i < 40; i++) {
            trend.oldCollected(true);
            trend.left(10 * i, i < 12 ? 30L * i : i < 30 ? 350 + i % 5 : 410, i + 1L);
        }

        assertThat(FloorTrend.untilFull(trend.finish(), 480)).hasSize(13);
    }

    @Test
    void steadyPauseIsTheMeanOfTheSecondHalf() throws IOException {
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
