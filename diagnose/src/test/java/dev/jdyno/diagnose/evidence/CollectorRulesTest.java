package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.QPS;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.causes;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.gc.GcAllocationRule;
import dev.jdyno.diagnose.gc.GcLeakRule;
import dev.jdyno.diagnose.gc.GcStallRule;
import dev.jdyno.diagnose.wait.ThreadPoolRule;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.gc.GcDetail;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which bottleneck of the collector is named, with figures of services that had it.
class CollectorRulesTest {
    private static final double MEBI = 1 << 20;

    /// Shenandoah in a heap of 48 MB on JDK 25: 42 of 80 collections degenerated.
    private static EvidenceFixture shenandoah(double pauseShare, Map<String, Long> seen) {
        return plateau()
                .rounds(r ->
                        r.gc(
                                new GcActivity(
                                        GcActivity.Count.NONE,
                                        GcActivity.Count.NONE,
                                        pauseShare,
                                        Optional.of(4.7e8),
                                        Optional.empty(),
                                        Optional.of(6.2e5),
                                        Optional.of(4.3e7),
                                        Optional.of(5.0e7),
                                        Optional.of(new GcDetail(30.9, seen, 0, List.of())),
                                        GcActivity.Why.UNKNOWN)));
    }

    @Test
    void degeneratedCyclesAreAStallInsteadOfSmallYoungGeneration() {
        var verdict =
                shenandoah(0.48, Map.of("Allocation Failure", 42L, "Concurrent GC", 38L)).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_STALL);
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.9);
        assertThat(verdict.says()).contains("53 %", "48.0 %");
        assertThat(verdict.runnersUp().getFirst().from()).contains(Bottleneck.GC_STALL);
        assertThat(verdict.runnersUp().getFirst().whyNot()).contains("too much for this heap");
        assertThat(verdict.runnersUp())
                .as("the figures of another consequence do not stand against the cause")
                .filteredOn(r -> r.bottleneck() == Bottleneck.GC_PROMOTION)
                .singleElement()
                .satisfies(r -> assertThat(r.whyNot()).contains("consequence of gc-stall"));
    }

    @Test
    void recognisesLateShenandoahBySingleGeneration() {
        assertThat(shenandoah(0.48, Map.of("Allocation Failure", 80L)).verdict().bottleneck())
                .isEqualTo(Bottleneck.GC_STALL);
    }

    /// ZGC of JDK 17 in an observed service: it has almost no pauses, but threads wait for memory.
    @Test
    void lateZgcCollectionsAreNoPauses() {
        var verdict = plateau().gc(0.0004, causes(Map.of("Allocation Stall", 229L))).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_STALL);
        assertThat(verdict.says())
                .contains("100 %", "threads waited for them")
                .doesNotContain("application stopped");
    }

    @Test
    void shenandoahThatMostlyComesInTimeDoesNotStall() {
        var finding =
                new GcStallRule()
                        .evaluate(
                                shenandoah(
                                                0.05,
                                                Map.of(
                                                        "Allocation Failure",
                                                        2L,
                                                        "Concurrent GC",
                                                        98L))
                                        .build());

        assertThat(finding).isInstanceOf(Finding.Cleared.class);
    }

    /// Shenandoah of JDK 17 in 170 MB, observed: 33 of 185 samples found a degenerated cycle, and
    /// 32 % of the time was spent in pauses.
    @Test
    void fewLateCyclesWithLongStopsAreAStall() {
        var verdict =
                shenandoah(0.32, Map.of("Allocation Failure", 33L, "Concurrent GC", 152L))
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_STALL);
        assertThat(verdict.says()).contains("18 %", "32.0 %");
    }

    @Test
    void youngCollectionsOfSerialAfterAllocationFailureAreNotLate() {
        var verdict = plateau().gc(0.4, causes(Map.of("Allocation Failure", 100L))).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_ALLOCATION);
    }

    /// Two services with 24 and 80 in flight. Young has 3 MB for 0.45 MB a request. The other
    /// service's requests hold 0.8 MB while they wait.
    @ParameterizedTest
    @CsvSource({
        "7638, 2406, 12, 174, 3.3e9, 6.4e8, 4.6e5, GC_ALLOCATION",
        "72, 1341, 18, 3270, 4.5e8, 2.9e8, 8e5, GC_PROMOTION"
    })
    void constantCollectionsMeanSmallYoungGenerationDespiteOverflow(
            long young,
            double youngMs,
            long full,
            double fullMs,
            double allocated,
            double promoted,
            double perRequest,
            Bottleneck named) {
        var gc =
                new GcActivity(
                        new GcActivity.Count(young, youngMs),
                        new GcActivity.Count(full, fullMs),
                        0.4,
                        Optional.of(allocated),
                        Optional.of(promoted),
                        Optional.of(perRequest),
                        Optional.of(2e8),
                        Optional.of(3.9e8));
        Round round = RoundFixture.round(24, 7192).cores(1.2).gc(gc).build();
        var evidence = EvidenceFixture.alone(round);

        assertThat(Diagnosis.of(evidence).bottleneck()).isEqualTo(named);
    }

    @Test
    void adviceAgainstExplicitGcWarnsOfDirectBuffers() {
        var verdict = plateau().gc(0.6, causes(Map.of("System.gc()", 100L))).verdict();

        assertThat(verdict.says()).contains("-XX:MaxDirectMemorySize");
    }

    /// Netty with Parallel and 400 MB, where each request adds 4 kB to a map. Each round has 7,750
    /// requests/s, the window after them 26/s with 1.6 of 1.8 cores for the collector.
    private static EvidenceFixture filling(double usedAtFirst, double usedAtLast, double after) {
        return plateau()
                .gaveMore(QPS)
                .relaxedRound(r -> r.cores(1.8).gc(old(usedAtFirst)))
                .rounds(r -> r.cores(1.8).gc(old(usedAtLast)))
                .gaveAfterwards(after)
                .busy(Cause.OTHER, "native code", 1.9)
                .pool(new ThreadSamples.Pool("loops", 2, 2, 0, 0, true))
                .sign(Sign.GC_CORES, 1.6)
                .sign(Sign.LIVE_GROWTH_BYTES_PER_S, 5e2);
    }

    private static GcActivity old(double used) {
        return new GcActivity(
                new GcActivity.Count(1, 30),
                new GcActivity.Count(1, 85),
                0.04,
                Optional.of(6.5e7),
                Optional.of(1.8e7),
                Optional.of(5.8e3),
                Optional.of(used * MEBI),
                Optional.of(280 * MEBI));
    }

    @Test
    void heapThatFilledUpAfterRoundsHasALeak() {
        var verdict = filling(158, 264, QPS / 300).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(verdict.confidence()).isGreaterThanOrEqualTo(0.7);
    }

    @ParameterizedTest
    @CsvSource({
        "250, 264, 0.3, a live set that was large from the start",
        "100, 180, 0.3, a heap with room",
        "158, 264, 90, throughput as before",
    })
    void heapThatNeverFilledIsNoLeak(double first, double last, double after, String why) {
        assertThat(new GcLeakRule().evaluate(filling(first, last, after).build()))
                .as(why)
                .isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void threadsInGcPausesAreNoSaturatedPool() {
        var stopped = filling(250, 264, QPS / 300).build();
        var working = filling(250, 264, QPS / 300).sign(Sign.GC_CORES, 0.1).build();

        assertThat(confidence(new ThreadPoolRule().evaluate(stopped)))
                .isLessThan(Diagnosis.NAMED_FROM);
        assertThat(confidence(new ThreadPoolRule().evaluate(working)))
                .isGreaterThanOrEqualTo(Diagnosis.NAMED_FROM);
    }

    private static double confidence(Finding finding) {
        return ((Finding.Limits) finding).confidence();
    }

    /// Serial with 259 MiB live in an old generation of 276 MiB. 28 full collections run in three
    /// seconds, and a twelfth of the small allocation is promoted.
    private static GcActivity series(
            double fulls, double leftMebi, double capacityMebi, double requestBytes) {
        return new GcActivity(
                new GcActivity.Count(7, 30),
                new GcActivity.Count(Math.round(fulls), 2690),
                0.9,
                Optional.of(1.8e8),
                Optional.of(1.5e7),
                Optional.of(requestBytes),
                Optional.of(leftMebi * 1.01 * MEBI),
                Optional.of(capacityMebi * MEBI),
                Optional.empty(),
                new GcActivity.Why(Map.of(), 0, Optional.of(leftMebi * MEBI), Optional.empty()));
    }

    private static Evidence rounds(GcActivity first, GcActivity second, GcActivity third) {
        List<Round> rounds =
                List.of(
                        RoundFixture.round(5, 1019).cores(1.1).gc(first).build(),
                        RoundFixture.round(20, 1058).cores(1.1).gc(second).build(),
                        RoundFixture.round(40, 999).cores(1.1).gc(third).build());
        return new Evidence(
                rounds,
                rounds.get(1),
                Optional.of(rounds.get(2)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static Bottleneck named(Evidence evidence) {
        return Diagnosis.of(evidence).bottleneck();
    }

    @Test
    void fullCollectionsWithoutEffectMeanALargeLiveSet() {
        GcActivity full = series(28, 259, 276, 1.7e5);
        assertThat(named(rounds(full, full, full))).isEqualTo(Bottleneck.GC_LIVE_SET);

        GcActivity freed = series(13, 70, 144, 1.2e6);
        assertThat(named(rounds(freed, freed, freed)))
                .as("half of it is freed each time")
                .isEqualTo(Bottleneck.GC_PROMOTION);

        GcActivity held = series(13, 125, 144, 6e6);
        GcActivity few = series(13, 40, 144, 6e6);
        assertThat(named(rounds(few, held, held)))
                .as("requests in flight hold it")
                .isEqualTo(Bottleneck.GC_PROMOTION);
    }

    /// LanguageTool with 300 MB allocates 7.7 MB a request. 12 in flight could hold half of the 180
    /// MiB that remain after each full collection. Six could not, but 180 MiB remain with six, too.
    @Test
    void heapThatStaysFullAtLowerConcurrencyIsNotHeldByRequests() {
        GcActivity full = series(10, 180, 200, 7.7e6);
        assertThat(named(rounds(full, full, full))).isEqualTo(Bottleneck.GC_LIVE_SET);
        assertThat(Diagnosis.of(rounds(full, full, full)).evidence())
                .anySatisfy(e -> assertThat(e.says()).contains("leave 90 % of the old generation"));

        GcActivity roomy = series(0, 0, 200, 7.7e6);
        assertThat(named(rounds(roomy, full, full))).isEqualTo(Bottleneck.GC_PROMOTION);
    }

    /// G1 with 300 MB, of which 260 remain. Half of the requests keep half a kB, and each allocates
    /// 1.5 MB.
    @Test
    void findsSlowLeakInFullHeapFromSteadyGrowth() {
        GcActivity full = series(8, 260, 309, 1.5e6);
        Evidence plain = rounds(full, full, full);
        assertThat(named(plain)).isEqualTo(Bottleneck.GC_LIVE_SET);

        Evidence leak = counted(plain, 2.3e5);
        assertThat(named(leak)).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(Diagnosis.of(leak).where()).isEqualTo("com.acme.Meter");

        assertThat(named(counted(plain, 8e3)))
                .as("so little that the heap lasts for half a day")
                .isEqualTo(Bottleneck.GC_LIVE_SET);
        GcActivity roomy = series(8, 120, 309, 1.5e6);
        assertThat(named(counted(rounds(roomy, roomy, roomy), 2.3e5)))
                .as("not why full collections come")
                .isNotEqualTo(Bottleneck.GC_LEAK);
    }

    /// Jetty with Parallel and an old generation of 587 MB. Each request keeps 4 kB in a session
    /// and allocates 1.2 MB. So 32 in flight could hold the growth of 2 MB/s.
    @Test
    void steadyGrowthIsALeakThoughRequestsCouldHoldAsMuch() {
        GcActivity busy = series(0, 0, 587, 1.25e6);
        Evidence rounds = rounds(busy, busy, busy);

        Verdict byCounts = Diagnosis.of(grown(rounds, 2.006e6, 2.002e6, Signals.NONE));
        assertThat(byCounts.bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(byCounts.confidence()).isLessThanOrEqualTo(0.80);

        var held =
                new Signals(
                        Map.of(Sign.LIVE_HELD_SHARE, 0.8),
                        Map.of(Sign.LIVE_HELD_SHARE, "com.acme.Sessions.byId"));
        assertThat(Diagnosis.of(grown(rounds, 2.006e6, 2.002e6, held)).confidence())
                .isGreaterThan(0.80);

        assertThat(named(grown(rounds, 2.006e6, 1.2e6, Signals.NONE)))
                .as("more at one count than at the other: requests hold it")
                .isNotEqualTo(Bottleneck.GC_LEAK);
    }

    private static Evidence grown(Evidence of, double bytesPerS, double steady, Signals besides) {
        return counted(
                of,
                steady,
                new Signals(
                                Map.of(Sign.LIVE_GROWTH_BYTES_PER_S, bytesPerS),
                                Map.of(Sign.LIVE_GROWTH_BYTES_PER_S, "com.acme.Entry"))
                        .and(besides));
    }

    @Test
    void leakNamesHolderAndAllocationSite() {
        GcActivity full = series(8, 300, 309, 1.5e6);
        var held =
                new Signals(
                        Map.of(Sign.LIVE_HELD_SHARE, 0.75, Sign.LIVE_MADE_SHARE, 1.0),
                        Map.of(
                                Sign.LIVE_HELD_SHARE,
                                "com.acme.Meters.ALL, a java.util.HashMap",
                                Sign.LIVE_MADE_SHARE,
                                "com.acme.Meters.of, line 12"));
        Verdict leak = Diagnosis.of(counted(rounds(full, full, full), 2.3e5, held));

        assertThat(leak.bottleneck()).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(leak.says())
                .endsWith(
                        "The objects that stay are reachable from com.acme.Meters.ALL, a java.util.HashMap.");
        assertThat(leak.evidence())
                .anySatisfy(e -> {
                    assertThat(e.id()).isEqualTo("live-held");
                    assertThat(e.value()).isEqualTo(0.75);
                })
                .anySatisfy(e -> assertThat(e.says()).contains("com.acme.Meters.of, line 12"));
    }

    private static Evidence counted(Evidence of, double steadyBytesPerS) {
        return counted(of, steadyBytesPerS, Signals.NONE);
    }

    private static Evidence counted(Evidence of, double steadyBytesPerS, Signals besides) {
        var seen =
                new ThreadSamples(
                        40,
                        999,
                        10,
                        1,
                        List.of(),
                        List.of(),
                        0,
                        0,
                        List.of(),
                        new Signals(
                                        Map.of(
                                                Sign.LIVE_STEADY_GROWTH_BYTES_PER_S,
                                                steadyBytesPerS),
                                        Map.of(
                                                Sign.LIVE_STEADY_GROWTH_BYTES_PER_S,
                                                "com.acme.Meter"))
                                .and(besides));
        return new Evidence(
                of.rounds(),
                of.plateau(),
                of.doubled(),
                Optional.of(seen),
                Optional.empty(),
                Optional.empty());
    }

    /// Serial with 400 MB, which sessions have nearly filled since the first round.
    @Test
    void growingHeapAfterFullCollectionsMeansALeak() {
        Evidence leak =
                rounds(
                        series(7, 263, 376, 1e5),
                        series(8, 312, 376, 1e5),
                        series(8, 324, 376, 1e5));
        assertThat(named(leak)).isEqualTo(Bottleneck.GC_LEAK);
        assertThat(Diagnosis.of(leak).says()).contains("leave more and more");

        assertThat(
                        named(
                                rounds(
                                        series(7, 300, 376, 1e5),
                                        series(8, 320, 376, 1e5),
                                        series(8, 321, 376, 1e5))))
                .as("a cache that filled")
                .isNotEqualTo(Bottleneck.GC_LEAK);
        assertThat(
                        named(
                                rounds(
                                        series(7, 263, 376, 2e6),
                                        series(8, 312, 376, 2e6),
                                        series(8, 324, 376, 2e6))))
                .as("more requests in flight hold more")
                .isNotEqualTo(Bottleneck.GC_LEAK);
    }

    /// ZGC in 192 MB: 5 in flight rarely wait for memory, 40 wait most of the time.
    @Test
    void stallsBeyondPlateauExplainThroughputDrop() {
        var evidence =
                new Evidence(
                        List.of(zgc(5, 1830, 0), zgc(20, 1426, 8), zgc(40, 686, 28.7)),
                        zgc(5, 1830, 0),
                        Optional.of(zgc(20, 1426, 8)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        assertThat(named(evidence)).isEqualTo(Bottleneck.GC_STALL);
        assertThat(new GcStallRule().evaluate(evidence))
                .isInstanceOfSatisfying(
                        Finding.Limits.class, f -> assertThat(f.says()).contains("72 %"));
    }

    /// ZGC with 22 requests on virtual threads. 1.6 of two carriers wait for memory, so at most two
    /// requests can wait.
    @Test
    void stallsOfVirtualThreadsAreAShareOfTheirCarriers() {
        var evidence = plateau().gc(0.003, EvidenceFixture.stalled(1.6));

        assertThat(new GcStallRule().evaluate(evidence.build()))
                .isInstanceOf(Finding.Cleared.class);
        evidence.sign(Sign.VIRTUAL_THREADS, 14);
        assertThat(new GcStallRule().evaluate(evidence.build()))
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        f -> assertThat(f.says()).contains("80 % of the carriers"));
    }

    private static Round zgc(int concurrency, double qps, double stalled) {
        return RoundFixture.round(concurrency, qps)
                .cores(1.8)
                .gc(EvidenceFixture.gcActivity(0.001, EvidenceFixture.stalled(stalled)))
                .build();
    }

    /// Shenandoah delays threads by pacing. Workers are in Java code and use no core while cycles
    /// follow each other, but no stall is counted.
    @Test
    void threadsHeldBackByShenandoahAreStalled() {
        var cycles =
                new GcActivity.Why(
                        Map.of("Concurrent GC", 7L), 7, Optional.empty(), Optional.of(0.0));
        var held =
                plateau()
                        .rounds(r -> r.cores(1.2).gc(EvidenceFixture.gcActivity(0.001, cycles)))
                        .busy(Cause.OTHER, "the JVM itself", 14)
                        .sign(Sign.GC_CORES, 0.9);

        assertThat(held.verdict().bottleneck()).isEqualTo(Bottleneck.GC_STALL);
        assertThat(held.verdict().confidence()).isGreaterThan(0.9);
        var taken = new GcAllocationRule().evaluate(held.build());
        assertThat(taken)
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        limits -> {
                            assertThat(limits.confidence()).as("nobody lacks CPU").isLessThan(0.6);
                            assertThat(limits.says()).as("0.9 of 1.2 cores").contains("75 %");
                        });
        assertThat(held.sign(Sign.GC_CORES, 0.05).verdict().bottleneck())
                .as("its threads are idle")
                .isNotEqualTo(Bottleneck.GC_STALL);
    }
}
