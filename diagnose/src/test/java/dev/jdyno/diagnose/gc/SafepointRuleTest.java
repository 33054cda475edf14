package dev.jdyno.diagnose.gc;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Stops that only the rounds show, because jdyno's own dumps fill the diagnostic windows.
class SafepointRuleTest {
    /// A loop of 0.5 s without a safepoint poll on JDK 17. Each safepoint, also those of jdyno,
    /// waits 460 ms for it.
    private static EvidenceFixture loop(double share, double sync, double perS) {
        return plateau()
                .rounds(r -> r.cores(1.2).stops(share, sync, perS))
                .sign(Sign.SAFEPOINT_SHARE, 0)
                .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.043)
                .sign(Sign.SAFEPOINTS_PER_S, 3.1)
                .sign(Sign.OWN_PAUSE_SHARE, 0.877);
    }

    @Test
    void namesLateThreadFromRounds() {
        var verdict = loop(0.01, 0.7, 1.5).busy(Cause.OTHER, "native code", 6).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.SAFEPOINT);
        assertThat(verdict.where()).isEqualTo("time to safepoint");
        assertThat(verdict.says()).contains("70 %", "SafepointTimeout");
    }

    /// A counted loop runs next to requests. The service stops only for collections, each of which
    /// waits half a second for the loop. The collections themselves take almost no time.
    @Test
    void collectionsThatWaitForALateThreadCountAsStops() {
        var verdict = lateFor(11, 0.92, 11.0 / SECONDS).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.SAFEPOINT);
        assertThat(verdict.where()).isEqualTo("time to safepoint");
        assertThat(verdict.confidence()).isGreaterThan(0.9);
    }

    /// One call copies hundreds of megabytes. 40 collections a second wait 12 ms each for it.
    @Test
    void manyShortTimesToSafepointCountLikeFewLongTimes() {
        var verdict = lateFor(240, 0.46, 40).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.SAFEPOINT);
        assertThat(verdict.where()).isEqualTo("time to safepoint");
    }

    /// The same figures while threads wait for a core: no thread ran on.
    @Test
    void collectionsThatWaitForACoreMeanNoLateThread() {
        var disturbedByOthers =
                lateFor(240, 0.46, 40)
                        .rounds(r -> r.cores(1.95).gc(collections(240)).stops(0.01, 0.46, 40))
                        .busy(Cause.RUN_QUEUE, "run queue", 20)
                        .busy(Cause.CPU, "com.acme.Page.get", 2);

        assertThat(new SafepointRule().evaluate(disturbedByOthers.build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void placeIsMethodOfLateThread() {
        var verdict =
                lateFor(11, 0.92, 11.0 / SECONDS)
                        .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.04, "com.acme.Prices.sum")
                        .verdict();

        assertThat(verdict.where()).isEqualTo("time to safepoint: com.acme.Prices.sum");
    }

    /// The place of a late thread comes only from jdyno's own dumps. It does not explain stops that
    /// other tools cause.
    @Test
    void otherStopsHaveNoLateThread() {
        var verdict =
                loop(0.3, 0.01, 8)
                        .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.04, "com.acme.Prices.sum")
                        .verdict();

        assertThat(verdict.where()).isEqualTo("stops");
    }

    private static final double SECONDS = 6;

    /// @param young number of collections in a round, which has no other stops
    private static EvidenceFixture lateFor(long young, double sync, double perS) {
        return plateau()
                .rounds(r -> r.cores(1.1).gc(collections(young)).stops(0.004, sync, perS))
                .sign(Sign.SAFEPOINT_SHARE, 0.004)
                .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.04)
                .sign(Sign.SAFEPOINTS_PER_S, 0)
                .sign(Sign.OWN_PAUSE_SHARE, 0.8);
    }

    @Test
    void namesThreadDumpsBetweenWindows() {
        var verdict = loop(0.3, 0.01, 8).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.SAFEPOINT);
        assertThat(verdict.where()).isEqualTo("stops");
        assertThat(verdict.says()).contains("dumps threads");
    }

    /// Micronaut with ZGC in a small heap. Stops take 13 % of the time, and threads wait for
    /// memory. Without the stops, throughput would be a seventh higher.
    @Test
    void moreSafepointTimeRaisesConfidence() {
        double few = loop(0.08, 0.05, 10).verdict().confidence();
        double many = loop(0.2, 0.05, 10).verdict().confidence();

        assertThat(few).isBetween(0.5, 0.65);
        assertThat(many).isGreaterThan(0.8);
    }

    @ParameterizedTest
    @CsvSource({
        "0.01, 0.02, 2, short ones",
        "0.00, 0.20, 0.1, one in all the rounds",
    })
    void ignoresShortOrRareStops(double share, double sync, double perS, String why) {
        assertThat(new SafepointRule().evaluate(loop(share, sync, perS).build()))
                .as(why)
                .isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void lateThreadsWithoutCoreMeanCpuShortage() {
        // 12 stops a second, each of which waits 15 ms
        var disturbedByOthers =
                loop(0.01, 0.18, 12)
                        .rounds(r -> r.cores(1.95).stops(0.01, 0.18, 12))
                        .busy(Cause.RUN_QUEUE, "run queue", 20)
                        .busy(Cause.CPU, "com.acme.Page.get", 2);

        assertThat(disturbedByOthers.verdict().bottleneck()).isEqualTo(Bottleneck.CPU);
    }

    /// Each scrape of an exporter looks for deadlocks in 30 us, but its regular expressions use the
    /// cores. The VM thread then waits for a core. That looks like stops of half of the time, while
    /// threads use 1.86 of 2 cores. Histograms in a loop leave only 0.6 cores in use.
    ///
    /// The demo has 57 requests in flight, 10 ms of CPU each on 2 cores. HotSpot's own stop in each
    /// second took 15 us by the log and 90 ms by the counter. That is 11 % of the time, while
    /// threads used 1.89 of 1.93 cores.
    @ParameterizedTest
    @CsvSource({"0.5, 1.86", "0.108, 1.96", "0.9, 1.9"})
    void ignoresStopsDuringWhichThreadsRan(double counted, double cores) {
        var finding = new SafepointRule().evaluate(scraped(counted, cores).build());

        assertThat(finding).isInstanceOf(Finding.Cleared.class);
    }

    @ParameterizedTest
    @CsvSource({"0.5, 0.6", "0.5, 1.0", "0.15, 1.6"})
    void stopsThatLeaveCoresUnusedAreNamed(double counted, double cores) {
        var verdict = scraped(counted, cores).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.SAFEPOINT);
    }

    /// A tool dumps threads in a loop while a page uses all cores. Stops take half of the rounds.
    /// In the window, jdyno's own dump waited so long that no other stop happened.
    @Test
    void safepointsOfAFifthOfTheTimeLowerConfidenceOfCpu() {
        var verdict = usedUp(0.40).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(verdict.confidence()).isLessThanOrEqualTo(Doubt.MAX_CONFIDENCE);
        assertThat(verdict.says()).contains("safepoint is not ruled out", "40 %");
        assertThat(usedUp(0.05).verdict().confidence()).isGreaterThan(0.9);
    }

    private static EvidenceFixture usedUp(double stopped) {
        return plateau()
                .rounds(r -> r.cores(1.95).stops(stopped, 0.1, 60))
                .busy(Cause.RUN_QUEUE, "run queue", 20)
                .busy(Cause.CPU, "com.acme.Page.get", 2);
    }

    private static EvidenceFixture scraped(double counted, double cores) {
        return plateau()
                .rounds(r -> r.cores(cores))
                .sign(Sign.SAFEPOINT_SHARE, counted)
                .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.11)
                .sign(Sign.SAFEPOINTS_PER_S, 81)
                .pool(
                        new ThreadSamples.Pool(
                                "prometheus-http", 20, 10, 10, 0, true, false, cores, Map.of()));
    }

    /// Other processes use a core. Each stop waits 3.6 ms for a thread that has no core.
    @Test
    void ignoresTimeToSafepointIfCoresAreShort() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.95))
                        .busy(Cause.RUN_QUEUE, "run queue", 20)
                        .busy(Cause.CPU, "com.acme.Page.get", 2)
                        .sign(Sign.SAFEPOINT_SHARE, 0.025)
                        .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.31)
                        .sign(Sign.SAFEPOINTS_PER_S, 87);

        assertThat(new SafepointRule().evaluate(evidence.build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    /// A run with a neighbour, JDK 17 on two cores, 57 in flight. The JVM's own stop in each second
    /// works 5 us and lasts 75 to 140 ms. Its thread waits for a core like the 43 threads that
    /// serve requests.
    @Test
    void stopsThatWaitForCoreAreNoOtherStops() {
        var disturbedByOthers =
                plateau()
                        .rounds(r ->
                                r.cores(1.93)
                                        .others(0.045)
                                        .client(0.024)
                                        .waitingForCores(42.8)
                                        .stops(0.104, 0.034, 1.13))
                        .busy(Cause.RUN_QUEUE, "run queue", 17)
                        .busy(Cause.CPU, "com.acme.Page.get", 2)
                        .sign(Sign.SAFEPOINT_SHARE, 0.108)
                        .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.018)
                        .sign(Sign.SAFEPOINTS_PER_S, 1.33)
                        .sign(Sign.OWN_PAUSE_SHARE, 0.131);

        assertThat(new SafepointRule().evaluate(disturbedByOthers.build()))
                .isInstanceOf(Finding.Cleared.class);
        assertThat(disturbedByOthers.verdict().bottleneck()).isEqualTo(Bottleneck.CPU);
    }

    /// The same share of the time in eight times the number of stops. The JVM does not stop that
    /// often by itself.
    @Test
    void frequentStopsCountDespiteCpuShortage() {
        var dumped =
                plateau()
                        .rounds(r -> r.cores(1.93).waitingForCores(42.8).stops(0.3, 0.01, 9))
                        .busy(Cause.RUN_QUEUE, "run queue", 17)
                        .busy(Cause.CPU, "com.acme.Page.get", 2)
                        .sign(Sign.SAFEPOINT_SHARE, 0.3)
                        .sign(Sign.SAFEPOINT_SYNC_SHARE, 0.01)
                        .sign(Sign.SAFEPOINTS_PER_S, 9);

        assertThat(new SafepointRule().evaluate(dumped.build())).isInstanceOf(Finding.Limits.class);
    }

    /// A neighbour uses a core, and 30 threads wait for the other one. Each stop waits 200 ms until
    /// the last thread gets a core. With one waiting thread, the late thread itself ran.
    @ParameterizedTest
    @CsvSource({"30, false", "1, true"})
    void threadInRunQueueIsNotLate(double waiting, boolean late) {
        var evidence =
                plateau()
                        .rounds(r ->
                                r.cores(0.95)
                                        .others(1)
                                        .waitingForCores(waiting)
                                        .stops(0.004, 0.4, 2))
                        .sign(Sign.SAFEPOINT_SHARE, 0)
                        .sign(Sign.SAFEPOINT_SYNC_SHARE, 0)
                        .sign(Sign.SAFEPOINTS_PER_S, 0);

        assertThat(new SafepointRule().evaluate(evidence.build()) instanceof Finding.Limits)
                .isEqualTo(late);
    }

    @Test
    void longerGcPausesAreNoSafepointLimit() {
        var gc = EvidenceFixture.gcActivity(0.5, EvidenceFixture.causes(Map.of()));
        var finding =
                new SafepointRule()
                        .evaluate(
                                loop(0, 0.2, 5)
                                        .rounds(r -> r.cores(1.2).stops(0, 0.2, 5).gc(gc))
                                        .build());

        assertThat(finding).isInstanceOf(Finding.Cleared.class);
    }

    /// Ten collections a second do not mean that a user takes thread dumps.
    @Test
    void collectionsAreNotCountedAmongTheOtherStops() {
        var finding =
                new SafepointRule()
                        .evaluate(
                                EvidenceFixture.plateau()
                                        .rounds(r -> r.gc(collections(60)).stops(0.3, 0.01, 12))
                                        .build());

        assertThat(finding)
                .isInstanceOfSatisfying(
                        Finding.Limits.class,
                        l -> assertThat(l.says()).contains(": 2.0 times a second"));
        assertThat(
                        new SafepointRule()
                                .evaluate(
                                        EvidenceFixture.plateau()
                                                .rounds(r ->
                                                        r.gc(collections(60)).stops(0.3, 0.01, 10))
                                                .build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    private static GcActivity collections(long young) {
        return new GcActivity(
                new GcActivity.Count(young, young),
                GcActivity.Count.NONE,
                0.01,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
