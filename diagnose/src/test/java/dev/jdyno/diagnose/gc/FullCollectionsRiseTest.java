package dev.jdyno.diagnose.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.statistics.Trend;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Three rounds of Serial with an old generation of 376 MiB. Each round has full collections in
/// series.
class FullCollectionsRiseTest {
    private static final double MEBI = 1 << 20;

    /// MiB that remain after each of the ten full collections of a round, recorded from a service
    /// that leaks 0.8 kB a request. They rise, but they vary by the amount of the rise of a round.
    private static final int[][] LEAKING = {
        {206, 211, 216, 220, 211, 216, 221, 225, 216, 236},
        {237, 238, 220, 225, 230, 234, 225, 230, 234, 239},
        {229, 248, 249, 250, 234, 253, 254, 240, 258, 261}
    };

    private static List<Trend.Point> left(int[] mebi, int round) {
        var points = new ArrayList<Trend.Point>();
        for (int i = 0; i < mebi.length; i++) {
            points.add(new Trend.Point(4.0 * round + i * 0.36, mebi[i] * MEBI));
        }
        return points;
    }

    private static GcActivity gc(List<Trend.Point> left, double requestBytes, double oldMebi) {
        return new GcActivity(
                new GcActivity.Count(69, 193),
                new GcActivity.Count(left.size(), 2600),
                0.9,
                Optional.of(4.3e8),
                Optional.of(1.5e8),
                Optional.of(requestBytes),
                Optional.of(0.8 * oldMebi * MEBI),
                Optional.of(oldMebi * MEBI),
                Optional.of(
                        new GcDetail(300, Map.of("Allocation Failure", 69L), 0, List.copyOf(left))),
                GcActivity.Why.UNKNOWN);
    }

    private static Evidence rounds(int[][] mebi, double requestBytes) {
        return rounds(mebi, requestBytes, 376);
    }

    private static Evidence rounds(int[][] mebi, double requestBytes, double oldMebi) {
        List<Round> rounds = new ArrayList<>();
        int[] concurrency = {5, 20, 40};
        for (int i = 0; i < 3; i++) {
            rounds.add(
                    RoundFixture.round(concurrency[i], 3800 - 200 * i)
                            .cores(1.1)
                            .gc(gc(left(mebi[i], i), requestBytes, oldMebi))
                            .build());
        }
        return new Evidence(
                rounds,
                rounds.getFirst(),
                Optional.of(rounds.getLast()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static int[][] all(int... mebi) {
        return new int[][] {mebi, mebi, mebi};
    }

    @Test
    void riseBeyondRequestsInFlightIsALeakDespiteScatter() {
        Evidence leak = rounds(LEAKING, 1.1e5);

        assertThat(FullCollectionsRise.in(leak)).isPresent();
        assertThat(Diagnosis.of(leak).bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(Diagnosis.of(leak).confidence()).isLessThan(0.9);
    }

    private static Evidence of(List<Round> rounds) {
        return new Evidence(
                rounds,
                rounds.getFirst(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /// A round in which the JVM ended, so its heap could not be read.
    private static Round dead(int concurrency) {
        return RoundFixture.round(concurrency, 12)
                .gc(
                        new GcActivity(
                                GcActivity.Count.NONE,
                                GcActivity.Count.NONE,
                                0,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()))
                .build();
    }

    /// A round with only one figure: the least MiB that remained after each full collection.
    private static Round floor(int concurrency, double mebi) {
        var gc =
                new GcActivity(
                        new GcActivity.Count(40, 300),
                        new GcActivity.Count(12, 2600),
                        0.6,
                        Optional.of(4.3e8),
                        Optional.of(1.5e8),
                        Optional.of(1e4),
                        Optional.of(mebi * MEBI),
                        Optional.of(376 * MEBI),
                        Optional.empty(),
                        new GcActivity.Why(
                                Map.of(), 0, Optional.of(mebi * MEBI), Optional.empty()));
        return RoundFixture.round(concurrency, 900).cores(1.5).gc(gc).build();
    }

    @Test
    void namesLeakOfHeapThatRanOutDespiteLastRound() {
        List<Round> rounds = new ArrayList<>(rounds(LEAKING, 1.1e5).rounds());
        rounds.add(dead(60));

        assertThat(FullCollectionsRise.in(of(rounds))).isPresent();
        assertThat(Diagnosis.of(of(rounds)).bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
    }

    @Test
    void findsLeakDespiteTwoRoundsWithoutRise() {
        List<Round> rounds = new ArrayList<>(rounds(LEAKING, 1.1e5).rounds());
        rounds.add(dead(60));
        rounds.add(dead(80));

        assertThat(FullCollectionsRise.in(of(rounds))).isPresent();
    }

    /// The heap was not full in the first round, and the JVM ended in the last one.
    @Test
    void riseStartsAtFirstRoundWithFullCollections() {
        Round young = RoundFixture.round(5, 1000).cores(1.1).build();
        List<Round> rises = List.of(floor(10, 230), floor(20, 280), floor(30, 340), dead(40));
        List<Round> level = List.of(floor(10, 340), floor(20, 338), floor(30, 341), dead(40));

        assertThat(FullCollectionsRise.in(of(join(young, rises)))).isPresent();
        assertThat(FullCollectionsRise.in(of(join(young, level)))).isEmpty();
    }

    private static List<Round> join(Round first, List<Round> others) {
        List<Round> all = new ArrayList<>(List.of(first));
        all.addAll(others);
        return all;
    }

    @Test
    void higherConcurrencyMayHoldMore() {
        int[][] steps = {
            {206, 211, 208, 210, 207, 211, 209, 206},
            {216, 221, 218, 220, 217, 221, 219, 216},
            {236, 241, 238, 240, 237, 241, 239, 236}
        };

        assertThat(FullCollectionsRise.in(rounds(steps, 1e5))).isPresent();
        assertThat(FullCollectionsRise.in(rounds(steps, 1e6))).isEmpty();
    }

    /// Serial of JDK 17 with an old generation of 200 MiB, and 2 kB kept of each request. 16
    /// requests in flight allocate 370 kB each and could hold most of the rise.
    @Test
    void riseAtConstantConcurrencyIsNotHeldByRequests() {
        int[][] sessions = {
            {205, 206, 205, 206, 207, 207, 208, 208},
            {208, 210, 210, 210, 211, 212, 212, 213, 213},
            {216, 216, 216, 216, 217, 218, 219, 219, 219}
        };
        Evidence leak = rounds(sessions, 3.7e5, 200);

        assertThat(FullCollectionsRise.in(leak)).isPresent();
        assertThat(Diagnosis.of(leak).bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
        int[][] level = {sessions[0], sessions[1], {213, 212, 213, 212, 213, 212, 213, 212}};
        assertThat(FullCollectionsRise.in(rounds(level, 3.7e5, 200)))
                .as("a cache that has filled")
                .isEmpty();
    }

    @Test
    void scatteredLiveSetIsConstant() {
        assertThat(FullCollectionsRise.in(rounds(all(258, 259, 240, 259, 262, 258, 250), 1.1e5)))
                .isEmpty();
    }

    /// One collection in each round, with a heap of 256 MiB.
    private static Evidence apart(double seconds, int... mebi) {
        List<Round> rounds = new ArrayList<>();
        for (int i = 0; i < mebi.length; i++) {
            var left = List.of(new Trend.Point(seconds * i, mebi[i] * MEBI));
            rounds.add(RoundFixture.round(5 * (i + 1), 1500).gc(gc(left, 1e4, 256)).build());
        }
        return new Evidence(
                rounds,
                rounds.getFirst(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void heapAfterFullCollectionsDecidesAboutLeak() {
        assertThat(FullCollectionsRise.level(apart(30, 207, 205, 205))).isPresent();
        assertThat(FullCollectionsRise.level(apart(30, 204, 207, 212)))
                .as("8 MiB in 60 s fill it in half an hour")
                .isEmpty();
        assertThat(FullCollectionsRise.level(apart(10, 207, 205, 205))).as("too short").isEmpty();
        assertThat(FullCollectionsRise.level(apart(60, 207, 205))).as("too few").isEmpty();
    }

    @Test
    void aCacheThatFilledRisesNoMore() {
        int[][] filling = {
            {150, 170, 190, 205, 215, 225, 230, 233, 235, 236},
            {237, 238, 238, 239, 238, 239, 239, 238, 239, 239},
            {239, 239, 238, 239, 239, 239, 240, 239, 239, 239}
        };
        assertThat(FullCollectionsRise.in(rounds(filling, 1.1e5))).isEmpty();
    }

    @Test
    void smallRiseOfTheHeapIsNoLeak() {
        int[][] slow = {
            {250, 250, 251, 251, 252}, {252, 253, 253, 254, 254}, {255, 255, 256, 256, 257}
        };
        assertThat(FullCollectionsRise.in(rounds(slow, 1e4))).isEmpty();
    }

    @Test
    void comparesFewCollectionsByRound() {
        int[][] few = {{100, 110}, {140, 150}, {180, 190}};
        assertThat(FullCollectionsRise.in(rounds(few, 1e4)))
                .as("two a round are no series, and six in all no trend")
                .isEmpty();
    }

    /// An observed service without recording or request counts, sampled once a second.
    private static Evidence watched(double firstMebi, double mebiPerS) {
        var left = new ArrayList<Trend.Point>();
        for (int i = 0; i < 15; i++) {
            double scatter = i % 3 == 0 ? -1.5 : 1;
            left.add(new Trend.Point(i + 1, (firstMebi + i * mebiPerS + scatter) * MEBI));
        }
        var gc =
                new GcActivity(
                        new GcActivity.Count(0, 0),
                        new GcActivity.Count(60, 12_000),
                        0.8,
                        Optional.of(2e8),
                        Optional.of(0.0),
                        Optional.empty(),
                        Optional.of(250 * MEBI),
                        Optional.of(280 * MEBI),
                        Optional.empty(),
                        new GcActivity.Why(
                                Map.of(),
                                0,
                                Optional.of(firstMebi * MEBI),
                                Optional.empty(),
                                left));
        Round round = RoundFixture.round(16, 0).cores(1.9).gc(gc).build();
        return EvidenceFixture.alone(round);
    }

    @Test
    void findsLeakFromHeapAfterCollections() {
        var verdict = Diagnosis.of(watched(200, 2.5));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(verdict.says()).contains("leave more and more").doesNotContain("hold only");
    }

    @Test
    void constantFullHeapIsALiveSetAndPossibleLeak() {
        var verdict = Diagnosis.of(watched(240, 0));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_LIVE_SET);
        assertThat(verdict.confidence()).isEqualTo(Doubt.MAX_CONFIDENCE);
    }

    /// Without request counts, the number of young collections for each request is unknown.
    @Test
    void reportsPromotionWithoutRequestCounts() {
        var gc =
                new GcActivity(
                        new GcActivity.Count(215, 4000),
                        new GcActivity.Count(32, 2450),
                        0.43,
                        Optional.of(4e8),
                        Optional.of(1.5e8),
                        Optional.empty(),
                        Optional.of(90 * MEBI),
                        Optional.of(280 * MEBI),
                        Optional.empty(),
                        GcActivity.Why.UNKNOWN);
        Round round = RoundFixture.round(40, 0).cores(1.3).gc(gc).build();
        var evidence = EvidenceFixture.alone(round);

        assertThat(Diagnosis.of(evidence).bottleneck()).isEqualTo(Bottleneck.GC_PROMOTION);
    }
}
