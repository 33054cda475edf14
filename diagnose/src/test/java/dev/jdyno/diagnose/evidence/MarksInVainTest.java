package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// G1 with 128 MB, of which 100 are live. There are no full collections, but constant marking, and
/// 21 MB are left for young. Throughput is 12,294 requests/s, and 24,155 with 700 MB.
class MarksInVainTest {
    private static final double MEBI = 1 << 20;
    private static final double PER_REQUEST = 1.1e5;

    /// Requests per second while live objects were counted.
    private static final double SERVED = 1e4;

    /// @param cycles number of concurrent cycles in six seconds
    /// @param floorMebi least used size of the old generation
    /// @param young number of young collections in six seconds
    private static EvidenceFixture heap(long cycles, double floorMebi, long young) {
        return plateau()
                .rounds(r -> r.cores(1.65).gc(gc(cycles, floorMebi, young)))
                .sign(Sign.GC_CORES, 0.54);
    }

    private static GcActivity gc(long cycles, double floorMebi, long young) {
        return new GcActivity(
                new GcActivity.Count(young, 580),
                GcActivity.Count.NONE,
                0.1,
                Optional.of(1.28e9),
                Optional.of(4.2e4),
                Optional.of(PER_REQUEST),
                Optional.of(Math.max(102, floorMebi) * MEBI),
                Optional.of(110 * MEBI),
                Optional.empty(),
                new GcActivity.Why(
                        Map.of(), cycles, Optional.of(floorMebi * MEBI), Optional.empty()));
    }

    @Test
    void liveSetOfConstantlyMarkedHeapLeavesSmallYoungGeneration() {
        var verdict = heap(30, 101, 360).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_LIVE_SET);
        assertThat(verdict.evidence())
                .anySatisfy(e ->
                        assertThat(e.says())
                                .contains("marks all the time (5.0 cycles/s)")
                                .contains("never falls below 101 MiB"));
    }

    @Test
    void youngGenerationThatTheLiveSetDoesNotLimitIsTooSmall() {
        assertThat(heap(0, 101, 360).verdict().bottleneck())
                .as("nothing is marked: the old generation has room")
                .isEqualTo(Bottleneck.GC_ALLOCATION);
        assertThat(heap(30, 40, 360).verdict().bottleneck())
                .as("cycles free most of it")
                .isEqualTo(Bottleneck.GC_ALLOCATION);
        assertThat(heap(30, 101, 60).verdict().bottleneck())
                .as("the young generation is larger than the old one")
                .isEqualTo(Bottleneck.GC_ALLOCATION);
    }

    /// One in eight requests adds 0.9 kB to a map. The heap of 256 MB is three quarters full.
    private static EvidenceFixture keeps(double bytesOfEach) {
        double perS = bytesOfEach * SERVED;
        return heap(30, 101, 360)
                .gaveAfterwards(SERVED)
                .sign(Sign.LIVE_GROWTH_BYTES_PER_S, perS, "com.acme.Visitor")
                .sign(Sign.LIVE_STEADY_GROWTH_BYTES_PER_S, perS, "com.acme.Visitor");
    }

    @Test
    void steadyGrowthOnOneFieldIsALeak() {
        assertThat(
                        keeps(71)
                                .sign(Sign.LIVE_HELD_SHARE, 1, "com.acme.Visitors.seen")
                                .verdict()
                                .bottleneck())
                .isEqualTo(Bottleneck.GC_LEAK);
        assertThat(keeps(71).verdict().bottleneck())
                .as("nobody knows what holds it")
                .isEqualTo(Bottleneck.GC_LIVE_SET);
        assertThat(
                        keeps(20)
                                .sign(Sign.LIVE_HELD_SHARE, 1, "com.acme.Visitors.seen")
                                .verdict()
                                .bottleneck())
                .as("no more than chance")
                .isEqualTo(Bottleneck.GC_LIVE_SET);
    }

    @Test
    void slowGrowthMayBeALeak() {
        var verdict = keeps(71).verdict();

        assertThat(verdict.says()).contains("gc-leak is not ruled out: live objects grew by 71");
        assertThat(verdict.confidence()).isLessThanOrEqualTo(Doubt.MAX_CONFIDENCE);
    }

    /// The same leak with uneven growth: 8 MB more in each round, of which the requests in flight
    /// can hold 2.
    @Test
    void growthDespiteConstantMarkingIsALeak() {
        assertThat(rising(8, 46).bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(rising(8, 0).bottleneck())
                .as("live objects were counted, and none were added")
                .isEqualTo(Bottleneck.GC_LIVE_SET);
        assertThat(rising(1, 46).bottleneck())
                .as("as much as requests in flight can hold")
                .isEqualTo(Bottleneck.GC_LIVE_SET);
    }

    private static Verdict rising(double mebiEachRound, double bytesOfEach) {
        var rounds = new ArrayList<Round>();
        int[] concurrency = {5, 10, 20};
        for (int i = 0; i < concurrency.length; i++) {
            rounds.add(
                    RoundFixture.round(concurrency[i], 1e4)
                            .cores(1.65)
                            .gc(gc(30, 93 + mebiEachRound * i, 360))
                            .build());
        }
        var threadSamples =
                SamplesVariant.withSignals(
                        new ThreadSamples(20, 1e4, 10, 0, List.of(), List.of(), 0, 0),
                        new Signals(
                                Map.of(
                                        Sign.GC_CORES,
                                        0.6,
                                        Sign.LIVE_GROWTH_BYTES_PER_S,
                                        bytesOfEach * 1e4)));
        return Diagnosis.of(
                new Evidence(
                        rounds,
                        rounds.get(1),
                        Optional.of(rounds.get(2)),
                        Optional.of(threadSamples),
                        Optional.empty(),
                        Optional.empty()));
    }
}
