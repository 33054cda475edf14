package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A recommendation names the observed setting with its present size. Its predicted gain is
/// relative to the best throughput.
class SettingsTest {
    private static final double MEBI = 1 << 20;

    private static ThreadSamples.Pool pool(String name, double size, double idle) {
        return new ThreadSamples.Pool(name, size, size - idle, idle, (int) idle, true);
    }

    private static List<Recommendation> recommendations(
            EvidenceFixture evidence, Bottleneck name, String where, Insight insight) {
        return recommendations(evidence, name, where, insight, List.of());
    }

    private static List<Recommendation> recommendations(
            EvidenceFixture evidence,
            Bottleneck name,
            String where,
            Insight insight,
            List<String> flags) {
        var recording = evidence.recording(facts(flags), insight);
        var verdict = new Verdict(name, where, 0.9, Sentence.of(""), List.of(), List.of());
        return Recommendations.of(
                verdict,
                Evidence.of(recording, Optional.empty()),
                Optional.empty(),
                Map.of(),
                recording,
                Recommendations.Aim.QPS);
    }

    private static TargetFacts facts(List<String> flags) {
        return new TargetFacts(
                Optional.of(1L),
                Optional.empty(),
                Optional.of("25.0.3"),
                Optional.of("Serial"),
                Optional.of(250L << 20),
                flags,
                2,
                true,
                List.of(),
                List.of());
    }

    private static Recommendation recommendation(List<Recommendation> recommendations, String id) {
        return recommendations.stream().filter(c -> c.id().equals(id)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "http-nio-8080-exec, maxThreads of the connector, QueuedThreadPool",
        "qtp, QueuedThreadPool, connector",
        "XNIO-1 task, setWorkerThreads, connector",
        "workers, size of its executor, connector"
    })
    void usesThreadSettingOfObservedServer(String pool, String setting, String others) {
        var evidence = plateau().rounds(r -> r.cores(0.4)).pool(pool(pool, 12, 0));

        Recommendation recommendation =
                recommendation(
                        recommendations(evidence, Bottleneck.THREAD_POOL, pool, Insight.NONE),
                        "threads");

        assertThat(recommendation.says())
                .hasToString("Give " + pool + " twice the threads: it has 12");
        assertThat(recommendation.how()).contains(setting).doesNotContain(others);
    }

    @Test
    void recognisesServerByItsFrames() {
        var evidence = plateau().rounds(r -> r.cores(0.4)).pool(pool("desk", 12, 0));
        var jetty =
                InsightVariant.allocations(
                        new Insight.Allocation(
                                8,
                                "byte[]",
                                "org.eclipse.jetty.server.Request.<init>",
                                3,
                                0.1,
                                100));

        assertThat(
                        recommendation(
                                        recommendations(
                                                evidence, Bottleneck.THREAD_POOL, "desk", jetty),
                                        "threads")
                                .how())
                .startsWith("Jetty: ");
    }

    @ParameterizedTest
    @CsvSource({"8, false", "0, true"})
    void moreThreadsHelpFullAcceptQueueOnlyWithoutIdleThreads(double idle, boolean helps) {
        var evidence = plateau().rounds(r -> r.cores(0.4)).pool(pool("qtp", 16, idle));

        List<Recommendation> recommendations =
                recommendations(evidence, Bottleneck.ACCEPT_QUEUE, "", Insight.NONE);

        assertThat(recommendation(recommendations, "accept-more").how())
                .contains("setAcceptQueueSize");
        assertThat(recommendations).extracting(Recommendation::id).contains("accept-more");
        assertThat(recommendations.stream().anyMatch(c -> c.id().equals("accept-threads")))
                .isEqualTo(helps);
    }

    @ParameterizedTest
    @CsvSource({
        "HikariCP in com.acme.Book.get, HikariCP's maximumPoolSize",
        "Tomcat-JDBC in com.acme.Book.get, Tomcat-JDBC's maxActive",
        "queue in com.acme.Book.get, the size of the pool"
    })
    void aPoolIsEnlargedUnderItsLibrarysName(String where, String setting) {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.4))
                        .busy(Cause.POOL, where, 15)
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 5);

        Recommendation recommendation =
                recommendation(
                        recommendations(evidence, Bottleneck.CONNECTION_POOL, where, Insight.NONE),
                        "pool-double");

        assertThat(recommendation.says()).contains(setting, "from 5 to 10");
    }

    /// A booking service keeps its connection during the call to the payment partner.
    @Test
    void recommendsReleasingConnectionBeforeCall() {
        List<Recommendation> recommendations = heldOverACall("HikariCP in com.acme.Bookings.book");

        assertThat(recommendations.getFirst().id()).isEqualTo("pool-call-outside");
        assertThat(recommendations.getFirst().says()).contains("com.acme.Bookings.authorise");
        assertThat(recommendations.getFirst().predictedQpsRatio().orElseThrow())
                .isCloseTo(5, within(1e-9));

        // a client's own connection pool holds only what the call itself needs
        List<Recommendation> ofClient =
                heldOverACall("Apache-HttpClient in com.acme.Bookings.book");
        assertThat(ofClient).noneMatch(c -> c.id().equals("pool-call-outside"));
        assertThat(recommendation(ofClient, "pool-shorter").says())
                .contains("com.acme.Bookings.authorise");
    }

    /// The sleep comes first, because with a larger pool each request still holds a connection
    /// during it.
    @Test
    void recommendsReleasingConnectionBeforeSleep() {
        String pool = "HikariCP in com.acme.Bookings.book";
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.2))
                        .held(
                                Cause.POOL,
                                pool,
                                15,
                                "probably sleep: sleep in com.acme.Bookings.pause")
                        .busy(Cause.SLEEP, "sleep in com.acme.Bookings.pause", 4.5)
                        .busy(Cause.DATABASE, "PostgreSQL 10.0.0.8:5432", 0.5);
        List<Recommendation> recommendations =
                recommendations(evidence, Bottleneck.CONNECTION_POOL, pool, Insight.NONE);

        assertThat(recommendations)
                .extracting(Recommendation::id)
                .containsSubsequence("pool-no-sleep", "pool-double");
        assertThat(recommendations.getFirst().says()).contains("com.acme.Bookings.pause");
        assertThat(recommendations.getFirst().predictedQpsRatio().orElseThrow())
                .as("0.1 of the time, capped by the CPU: with the load generator 0.25 of 2 cores")
                .isCloseTo(2 / 0.25, within(1e-9));
    }

    private static List<Recommendation> heldOverACall(String pool) {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.2))
                        .held(
                                Cause.POOL,
                                pool,
                                15,
                                "probably downstream: 10.0.0.7:80 in com.acme.Bookings.authorise")
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 4)
                        .busy(Cause.DATABASE, "PostgreSQL 10.0.0.8:5432", 1);
        return recommendations(evidence, Bottleneck.CONNECTION_POOL, pool, Insight.NONE);
    }

    @Test
    void recommendsLargerInnerExecutorAndShorterTasks() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.2))
                        .pool(doing(Cause.DOWNSTREAM))
                        .busy(Cause.FUTURE, "result of another task", 16)
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 4);

        List<Recommendation> recommendations =
                recommendations(evidence, Bottleneck.POOL_STARVATION, "task", Insight.NONE);

        assertThat(recommendations).noneMatch(c -> c.id().equals("executor-own"));
        assertThat(recommendation(recommendations, "executor-larger").says()).contains("it has 4");
        assertThat(
                        recommendation(recommendations, "task-shorter")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(2, within(1e-9));
    }

    private static ThreadSamples.Pool doing(Cause cause) {
        return new ThreadSamples.Pool("task", 4, 4, 0, 0, false, false, 0, Map.of(cause, 4.0));
    }

    @Test
    void splittingLockAroundCallNeedsMoreConnections() {
        var calls =
                plateau()
                        .rounds(r -> r.cores(0.2))
                        .held(Cause.LOCK, "Desk@1", 19, "probably downstream: 10.0.0.7:80");
        var forces =
                plateau()
                        .rounds(r -> r.cores(0.2))
                        .held(
                                Cause.LOCK,
                                "Desk@1",
                                19,
                                "probably disk: fsync in com.acme.Ledger.add");
        var computes = plateau().rounds(r -> r.cores(0.9)).held(Cause.LOCK, "Desk@1", 19, "cpu: x");

        assertThat(recommendations(calls, Bottleneck.LOCK, "Desk@1", Insight.NONE))
                .extracting(Recommendation::id)
                .contains("lock-call")
                .doesNotContain("lock-split", "lock-force");
        assertThat(recommendations(forces, Bottleneck.LOCK, "Desk@1", Insight.NONE))
                .extracting(Recommendation::id)
                .contains("lock-call", "lock-force");
        assertThat(recommendations(computes, Bottleneck.LOCK, "Desk@1", Insight.NONE))
                .extracting(Recommendation::id)
                .contains("lock-split");
    }

    @Test
    void namesNettyFlagOnlyIfSet() {
        var loop =
                new ThreadSamples.Pool("nioEventLoopGroup-3", 1, 1, 0, 0, true, true, 1, Map.of());
        var evidence = plateau().rounds(r -> r.cores(1)).pool(loop);
        String flag = "-Dio.netty.eventLoopThreads=";

        assertThat(
                        recommendation(
                                        recommendations(
                                                evidence, Bottleneck.EVENT_LOOP, "x", Insight.NONE),
                                        "loops-more")
                                .change()
                                .text())
                .isEqualTo("event loops=2");
        assertThat(
                        recommendation(
                                        recommendations(
                                                evidence,
                                                Bottleneck.EVENT_LOOP,
                                                "x",
                                                Insight.NONE,
                                                List.of(flag + 1)),
                                        "loops-more")
                                .change()
                                .text())
                .isEqualTo(flag + 2);
    }

    private static GcActivity overflows(double pauseShare, double leftMebi) {
        return new GcActivity(
                new GcActivity.Count(11, 200),
                new GcActivity.Count(3, 800),
                pauseShare,
                Optional.of(4.5e8),
                Optional.of(2.9e8),
                Optional.of(0.75 * MEBI),
                Optional.of(180 * MEBI),
                Optional.of(210 * MEBI),
                Optional.empty(),
                new GcActivity.Why(Map.of(), 0, Optional.of(leftMebi * MEBI), Optional.empty()));
    }

    /// 20 requests hold 0.75 MiB each in a heap of 250 MiB: 15 MiB for a survivor space, 60 MiB for
    /// young.
    @ParameterizedTest
    @CsvSource({
        "100, -XX:SurvivorRatio=2 -Xmn60m, false",
        "160, -XX:SurvivorRatio=2 -Xmn60m -Xms300m -Xmx300m, true"
    })
    void survivorSizeFitsIntoHeap(double left, String change, boolean noRoom) {
        var evidence = plateau().rounds(r -> r.cores(1).gc(overflows(0.5, left)));

        Recommendation recommendation =
                recommendation(
                        recommendations(evidence, Bottleneck.GC_PROMOTION, "", Insight.NONE),
                        "survivors");

        assertThat(recommendation.change().text()).isEqualTo(change);
        assertThat(recommendation.says().text().contains("no room")).isEqualTo(noRoom);
        assertThat(recommendation.how()).contains("--heaps 500m,1000m");
    }

    /// The collector takes 41 % of the time at the best throughput, and 74 % at a higher load.
    @Test
    void gainsAreOfTheBestThroughput() {
        var best = plateau().rounds(r -> r.cores(1).gc(overflows(0.41, 100)));

        assertThat(
                        recommendation(
                                        recommendations(
                                                best, Bottleneck.GC_PROMOTION, "", Insight.NONE),
                                        "hold-less")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(1 / (1 - 0.41), within(0.01));
    }

    /// The used size of the old generation at one moment is not the size of its live objects.
    @Test
    void keepsOldGenerationSizeIfLiveSetIsUnknown() {
        GcActivity unknown =
                new GcActivity(
                        new GcActivity.Count(50, 200),
                        new GcActivity.Count(3, 800),
                        0.5,
                        Optional.of(4.5e8),
                        Optional.of(2.9e8),
                        Optional.of(0.75 * MEBI),
                        Optional.of(38 * MEBI),
                        Optional.of(210 * MEBI),
                        Optional.empty(),
                        GcActivity.Why.UNKNOWN);
        var evidence = plateau().rounds(r -> r.cores(1).gc(unknown));

        assertThat(
                        recommendation(
                                        recommendations(
                                                evidence,
                                                Bottleneck.GC_PROMOTION,
                                                "",
                                                Insight.NONE),
                                        "survivors")
                                .change()
                                .text())
                .isEqualTo("-XX:SurvivorRatio=2 -Xmn60m -Xms270m -Xmx270m");
    }

    @ParameterizedTest
    @CsvSource({"-XX:SurvivorRatio=1, true", "-XX:SurvivorRatio=8, false", "-Xmn12m, false"})
    void revertsRatioThatLeavesSmallEden(String flag, boolean back) {
        var evidence = plateau().rounds(r -> r.cores(1).gc(overflows(0.5, 100)));

        Recommendation recommendation =
                recommendation(
                        recommendations(
                                evidence,
                                Bottleneck.GC_ALLOCATION,
                                "",
                                Insight.NONE,
                                List.of(flag)),
                        "young");

        assertThat(recommendation.change().text().endsWith(" -XX:SurvivorRatio=8")).isEqualTo(back);
        assertThat(recommendation.says().text().contains("Eden only 33 %")).isEqualTo(back);
    }

    /// Fourteen threads wait for three services, one after the other. A request takes 175 ms, and
    /// its longest call 100 ms.
    @Test
    void parallelCallsFreeThreadsOfFullPool() {
        var breakdown =
                new Breakdown(
                        Map.of(Cause.DOWNSTREAM, 60.0),
                        List.of(
                                new Breakdown.Spot(
                                        Cause.DOWNSTREAM,
                                        PlaceText.place(Cause.DOWNSTREAM, "goods:80"),
                                        30),
                                new Breakdown.Spot(
                                        Cause.DOWNSTREAM,
                                        PlaceText.place(Cause.DOWNSTREAM, "mall:80"),
                                        30)),
                        0);
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.4))
                        .pool(pool("desk", 14, 0))
                        .relaxedRound(r -> r.anatomy(breakdown));
        var recording = evidence.recording(facts(List.of()), Insight.NONE);
        var evaluated = Evidence.of(recording, Optional.empty());
        double rt = evaluated.rounds().getFirst().rtMs().mean();

        for (double likely : new double[] {0.85, 0.3}) {
            var verdict =
                    new Verdict(
                            Bottleneck.THREAD_POOL,
                            "desk",
                            0.85,
                            Sentence.of(""),
                            List.of(),
                            List.of(
                                    Verdict.RunnerUp.ruledOut(
                                            Bottleneck.DOWNSTREAM_SERIAL, likely, "")));
            List<Recommendation> recommendations =
                    Recommendations.of(
                            verdict,
                            evaluated,
                            Optional.empty(),
                            Map.of(),
                            recording,
                            Recommendations.Aim.QPS);

            assertThat(recommendations.stream().anyMatch(c -> c.id().equals("calls-parallel")))
                    .isEqualTo(likely > 0.5);
            if (likely > 0.5) {
                assertThat(
                                recommendation(recommendations, "calls-parallel")
                                        .predictedQpsRatio()
                                        .orElseThrow())
                        .isCloseTo(Math.min(5, 1 / Math.max(0.05, 1 - 30 / rt)), within(0.01));
            }
        }
    }

    @Test
    void doesNotAdviseReplacingDiskLimitedByCgroup() {
        String where = "file I/O in com.acme.Book.keep";
        var evidence = plateau().rounds(r -> r.cores(0.1)).busy(Cause.DISK, where, 19);

        assertThat(recommendations(evidence, Bottleneck.DISK, where, Insight.NONE))
                .extracting(Recommendation::id)
                .contains("disk-faster");

        evidence.sign(Sign.DISK_LIMITS, 1, "240 writes/s");

        assertThat(
                        recommendation(
                                        recommendations(
                                                evidence, Bottleneck.DISK, where, Insight.NONE),
                                        "disk-limit")
                                .says()
                                .text())
                .isEqualTo(
                        "Double the disk limit of the service's cgroup, now at most 240 writes/s");
        assertThat(evidence.verdict().evidence())
                .extracting(e -> e.says().text())
                .contains("its cgroup lets it make at most 240 writes/s");
    }

    @Test
    void recommendsMoreThreadsForSerialCallsThatHoldAllThreads() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.4))
                        .pool(pool("desk", 14, 0))
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 14);
        List<Recommendation> recommendations =
                recommendations(
                        evidence, Bottleneck.DOWNSTREAM_SERIAL, "10.0.0.7:80", Insight.NONE);

        assertThat(recommendation(recommendations, "threads").says())
                .hasToString("Give desk twice the threads: it has 14");
        assertThat(recommendation(recommendations, "calls-parallel").says())
                .hasToString("Make the calls side by side");
    }
}
