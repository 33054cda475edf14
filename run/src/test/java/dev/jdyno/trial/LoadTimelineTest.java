package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.statistics.ClientUse;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.statistics.LoopStats;
import dev.jdyno.load.statistics.LoopSums;
import dev.jdyno.measure.load.LoadPoint;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadTimelineTest {
    private static final long S = 1_000_000_000L;
    private static final long ORIGIN = 7 * S;

    /// A second with this number of requests, each of this many ms.
    private static LoadWindow second(long from, int requests, long ms) {
        var loop = new LoopStats(ORIGIN + from * S, 0);
        loop.endNanos = ORIGIN + (from + 1) * S;
        for (int i = 0; i < requests; i++) {
            loop.good(0, 0, 0, ms * 1_000_000);
        }
        return LoopSums.window(List.of(loop), List.of(), new ClientUse(List.of(), 0, 0, 0, 0, 0));
    }

    private static Level closed(int connections) {
        return new Level.Closed(connections, Duration.ZERO);
    }

    @Test
    void aShortRunKeepsEachSecond() {
        var timeline = new LoadTimeline(ORIGIN);
        timeline.add(LoadPoint.Part.WARM_UP, closed(4), second(1, 50, 10));
        timeline.add(LoadPoint.Part.ROUND, closed(8), second(4, 90, 20));

        assertThat(timeline.points())
                .extracting(
                        LoadPoint::part,
                        LoadPoint::fromS,
                        LoadPoint::seconds,
                        LoadPoint::concurrency,
                        LoadPoint::requests)
                .containsExactly(
                        tuple(LoadPoint.Part.WARM_UP, 1.0, 1.0, 4, 50L),
                        tuple(LoadPoint.Part.ROUND, 4.0, 1.0, 8, 90L));
    }

    /// Every tenth second is slow. The 99th percentile of a point is that of all its requests, not
    /// a mean over the percentiles of seconds.
    @Test
    void longRunHasFewerPointsWithMergedQuantiles() {
        var timeline = new LoadTimeline(ORIGIN);
        int seconds = 5 * LoadTimeline.MAX;
        var all = new Histogram(3);
        for (int s = 0; s < seconds; s++) {
            long ms = s % 10 == 9 ? 900 : 10;
            timeline.add(LoadPoint.Part.ROUND, closed(8), second(s, 20, ms));
            all.recordValueWithCount(ms * 1_000_000, 20);
        }

        List<LoadPoint> points = timeline.points();

        assertThat(points).hasSizeLessThanOrEqualTo(LoadTimeline.MAX);
        assertThat(points.stream().mapToLong(LoadPoint::requests).sum()).isEqualTo(20L * seconds);
        assertThat(points.stream().mapToDouble(LoadPoint::seconds).sum())
                .isCloseTo(seconds, within(1e-6));
        assertThat(points)
                .allSatisfy(p -> assertThat(p.rtMs().p99()).isIn(ms(all, 50), ms(all, 99)));
        assertThat(points).anyMatch(p -> p.rtMs().p50() < 11 && p.rtMs().p99() > 899);
    }

    private static double ms(Histogram h, double percentile) {
        return h.getValueAtPercentile(percentile) / 1e6;
    }

    @Test
    void keepsPointsOfOtherLoadsApart() {
        var timeline = new LoadTimeline(ORIGIN);
        for (int s = 0; s < 3 * LoadTimeline.MAX; s++) {
            timeline.add(LoadPoint.Part.ROUND, closed(1 + s % 2), second(s, 1, 1));
        }
        assertThat(timeline.points()).hasSize(3 * LoadTimeline.MAX);

        var apart = new LoadTimeline(ORIGIN);
        for (int s = 0; s < 2 * LoadTimeline.MAX; s++) {
            apart.add(LoadPoint.Part.ROUND, closed(1), second(2L * s, 1, 1));
        }
        assertThat(apart.points()).hasSize(2 * LoadTimeline.MAX);
    }

    @Test
    void theConcurrencyOfAnOpenLoadIsByLittlesLaw() {
        var timeline = new LoadTimeline(ORIGIN);
        timeline.add(
                LoadPoint.Part.ROUND,
                new Level.Open(64, 100, Arrivals.POISSON),
                second(0, 100, 50));

        LoadPoint point = timeline.points().getFirst();

        assertThat(point.ratePerS()).hasValue(100.0);
        assertThat(point.concurrency()).isEqualTo(5);
    }
}
