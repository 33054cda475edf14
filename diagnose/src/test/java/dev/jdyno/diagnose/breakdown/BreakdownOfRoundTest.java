package dev.jdyno.diagnose.breakdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RoundFixture;
import dev.jdyno.measure.gc.GcActivity;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SamplesVariant;
import dev.jdyno.measure.thread.Signals;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BreakdownOfRoundTest {
    private static final Offset<Double> CLOSE = Offset.offset(1e-9);

    private static ThreadSamples census(double qps, ThreadSamples.Busy... busy) {
        return new ThreadSamples(20, qps, 10, 1, List.of(), List.of(busy), 0, 0);
    }

    private static ThreadSamples.Busy busy(Cause cause, String where, double threads) {
        return new ThreadSamples.Busy(cause, PlaceText.place(cause, where), threads);
    }

    private static CpuUse cores(double processCores) {
        return CpuUse.ofWholeMachine(processCores, 0, 0, 0, 2, 0, 0, 0);
    }

    @Test
    void busyThreadsPerThroughputGiveTimePerRequest() {
        // a connection pool of 5 with 20 clients: 14.8 threads wait for it, 5 read from the
        // database
        var threadSamples =
                census(
                        243,
                        busy(Cause.POOL, "HikariCP", 14.8),
                        busy(Cause.DATABASE, "db:5432", 5.0));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(threadSamples, Optional.empty(), Optional.empty(), 82.3);

        assertThat(breakdown.ms(Cause.POOL)).isCloseTo(60.9, Offset.offset(0.01));
        assertThat(breakdown.ms(Cause.DATABASE)).isCloseTo(20.58, Offset.offset(0.01));
        assertThat(breakdown.topN())
                .first()
                .isEqualTo(
                        new Breakdown.Spot(
                                Cause.POOL,
                                PlaceText.place(Cause.POOL, "HikariCP"),
                                14.8 / 243 * 1000));
        assertThat(breakdown.sumMs() + breakdown.unexplainedMs()).isCloseTo(82.3, CLOSE);
    }

    /// Each request calls System.gc(). The collector used 1.3 of 1.4 cores while requests were
    /// stopped.
    @Test
    void excludesCpuOfCollectorsAndCompilers() {
        var threadSamples =
                SamplesVariant.withSignals(
                        census(200, busy(Cause.CPU, "com.acme.Page.get", 0.1)),
                        new Signals(Map.of(Sign.GC_CORES, 1.25, Sign.JIT_CORES, 0.05)));
        var pool =
                new ThreadSamples.Pool(
                        "exec", 10, 1, 9, 8, true, false, 0.3, Map.of(Cause.CPU, 0.1));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(
                        threadSamples, Optional.of(cores(1.4)), Optional.empty(), 5);
        Breakdown withThreads =
                BreakdownOfRound.ofSamples(
                        SamplesVariant.withPools(threadSamples, pool),
                        Optional.of(cores(1.4)),
                        Optional.empty(),
                        5);

        assertThat(breakdown.ms(Cause.CPU)).isCloseTo(0.5, CLOSE);
        assertThat(withThreads.ms(Cause.CPU))
                .as("what the kernel counted for threads that are neither")
                .isCloseTo(1.25, CLOSE);
    }

    @Test
    void callsWithoutThreadCountAsDownstreamTime() {
        // 40 requests in flight at an asynchronous client: 12 calls to two services, and one thread
        // that reads from a third service
        ThreadSamples threadSamples =
                SamplesVariant.withCalls(
                        census(500, busy(Cause.DOWNSTREAM, "c:80", 1)),
                        new Calls(PlaceText.peer("a:80"), 20, 9, 20),
                        new Calls(PlaceText.peer("b:80"), 20, 4, 20));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(threadSamples, Optional.empty(), Optional.empty(), 80);

        assertThat(breakdown.ms(Cause.DOWNSTREAM)).isCloseTo(2 + 24, CLOSE);
        assertThat(breakdown.topN().getFirst().where()).isEqualTo("a:80");
        assertThat(breakdown.topN().getFirst().ms()).isCloseTo(24 * 9 / 13.0, CLOSE);
        assertThat(breakdown.unexplainedMs()).isCloseTo(54, CLOSE);
    }

    @Test
    void mergesCallsWithAndWithoutThreadOfOneService() {
        var threadSamples =
                SamplesVariant.withCalls(
                        census(
                                500,
                                busy(Cause.DOWNSTREAM, "client a:80", 8),
                                busy(Cause.DOWNSTREAM, "client aa:80", 1)),
                        new Calls(PlaceText.peer("a:80"), 20, 11, 20));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(threadSamples, Optional.empty(), Optional.empty(), 40);

        assertThat(breakdown.topN())
                .extracting(Breakdown.Spot::where)
                .containsExactly("client a:80", "client aa:80");
        assertThat(breakdown.topN().getFirst().ms()).isCloseTo(20, CLOSE);
    }

    @Test
    void callsTakeNoMoreThanTheResponseTimeHasLeft() {
        ThreadSamples threadSamples =
                SamplesVariant.withCalls(
                        census(1000, busy(Cause.FUTURE, "join", 18)),
                        new Calls(PlaceText.peer("a:80"), 20, 20, 20));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(threadSamples, Optional.empty(), Optional.empty(), 20);

        assertThat(breakdown.ms(Cause.DOWNSTREAM)).isCloseTo(2, CLOSE);
        assertThat(breakdown.unexplainedMs()).isCloseTo(0, CLOSE);
    }

    @Test
    void takesCpuFromProcessAndPlacesFromDumps() {
        var threadSamples =
                census(100, busy(Cause.CPU, "a.B.c", 0.6), busy(Cause.CPU, "a.B.d", 0.2));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(
                        threadSamples, Optional.of(cores(1.6)), Optional.empty(), 20);

        assertThat(breakdown.ms(Cause.CPU)).isCloseTo(16, CLOSE);
        assertThat(breakdown.topN()).extracting(Breakdown.Spot::ms).containsExactly(12.0, 4.0);
    }

    @Test
    void countsCpuWithoutRunningThreadInDumps() {
        Breakdown breakdown =
                BreakdownOfRound.ofSamples(
                        census(1000, busy(Cause.DOWNSTREAM, "h:1", 10)),
                        Optional.of(cores(0.5)),
                        Optional.empty(),
                        11);

        assertThat(breakdown.ms(Cause.CPU)).isCloseTo(0.5, CLOSE);
    }

    @Test
    void pauseDelaysEveryRequestInFlight() {
        var gc =
                new GcActivity(
                        GcActivity.Count.NONE,
                        GcActivity.Count.NONE,
                        0.25,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(census(100), Optional.empty(), Optional.of(gc), 40);

        assertThat(breakdown.ms(Cause.GC)).isCloseTo(10, CLOSE);
        assertThat(breakdown.unexplainedMs()).isCloseTo(30, CLOSE);
    }

    /// 80 in flight at 500/s take 160 ms, of which the collector stops half.
    @Test
    void excludesPausesFromWaits() {
        var gc =
                new GcActivity(
                        GcActivity.Count.NONE,
                        GcActivity.Count.NONE,
                        0.5,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(
                        census(500, busy(Cause.DOWNSTREAM, "h:1", 80)),
                        Optional.empty(),
                        Optional.of(gc),
                        160);

        assertThat(breakdown.ms(Cause.DOWNSTREAM)).isCloseTo(80, CLOSE);
        assertThat(breakdown.ms(Cause.GC)).isCloseTo(80, CLOSE);
        assertThat(breakdown.unexplainedMs()).isCloseTo(0, CLOSE);
    }

    /// 20 in flight at 500/s take 40 ms. 12 threads wait for memory, 9 of which the dumps found in
    /// native code. 6 more are in calls to a service.
    @Test
    void waitingForMemoryIsTheCollectorsNotNativeCode() {
        var threadSamples =
                census(
                        500,
                        busy(Cause.DOWNSTREAM, "h:1", 6),
                        busy(Cause.OTHER, "native code", 9),
                        busy(Cause.OTHER, "a.B.c", 1));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(
                        threadSamples, Optional.empty(), Optional.of(stalls(12)), 40);

        assertThat(breakdown.ms(Cause.GC)).isCloseTo(24, CLOSE);
        assertThat(breakdown.ms(Cause.OTHER)).isCloseTo(2, CLOSE);
        assertThat(breakdown.unexplainedMs()).isCloseTo(2, CLOSE);
        assertThat(breakdown.topN())
                .extracting(Breakdown.Spot::where)
                .containsExactly("allocation stalls", "h:1", "a.B.c");
    }

    @Test
    void stallsTakeNoMoreThanTheResponseTimeHasLeft() {
        var threadSamples =
                census(500, busy(Cause.DOWNSTREAM, "h:1", 16), busy(Cause.OTHER, "native code", 3));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(
                        threadSamples, Optional.empty(), Optional.of(stalls(12)), 40);

        assertThat(breakdown.ms(Cause.GC)).isCloseTo(8, CLOSE);
        assertThat(breakdown.unexplainedMs()).isCloseTo(0, CLOSE);
    }

    private static GcActivity stalls(double threads) {
        return new GcActivity(
                GcActivity.Count.NONE,
                GcActivity.Count.NONE,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new GcActivity.Why(Map.of(), 0, Optional.empty(), Optional.of(threads)));
    }

    /// The window has two thirds of the round's throughput, with the same number of requests in
    /// flight.
    @Test
    void partsSumToResponseTimeOfRoundDespiteSlowerWindow() {
        var recording =
                EvidenceFixture.plateau()
                        .gaveAfterwards(67)
                        .busy(Cause.LOCK, "Ledger", 20)
                        .recording();

        Breakdown breakdown =
                RoundBreakdowns.applied(recording).rounds().stream()
                        .filter(r -> r.concurrency() == EvidenceFixture.CONCURRENCY)
                        .findFirst()
                        .flatMap(Round::anatomy)
                        .orElseThrow();

        // next to 5 ms of CPU, of 200 ms in total
        assertThat(breakdown.ms(Cause.LOCK)).isCloseTo(200 * 200 / 205.0, Offset.offset(1.0));
        assertThat(breakdown.sumMs()).isCloseTo(200, CLOSE);
    }

    /// The heap was full after the last round. Dumps of a service that no longer responds show
    /// nothing about the responding one.
    @Test
    void windowWithoutResponsesGivesNoBreakdown() {
        var recording = EvidenceFixture.plateau().gaveAfterwards(0).recording();

        assertThat(RoundBreakdowns.applied(recording).rounds())
                .isNotEmpty()
                .allSatisfy(r -> assertThat(r.anatomy()).isEmpty());
    }

    /// A gateway calls a port of its own. Dumps at saturation show that its own threads answer
    /// these calls.
    @ParameterizedTest
    @ValueSource(strings = {"gRPC 127.0.0.1:9001", "gRPC one of h:1, 127.0.0.1:9001"})
    void countsSelfCallOnceAtLowLoad(String seenAs) {
        var recording =
                EvidenceFixture.plateau()
                        .busy(Cause.FUTURE, "an answer of its own at " + "gRPC 127.0.0.1:9001", 20)
                        .busy(Cause.DOWNSTREAM, "h:1", 6)
                        .relaxed(Cause.DOWNSTREAM, seenAs, 5)
                        .relaxed(Cause.DOWNSTREAM, "h:1", 2)
                        .recording();

        Breakdown breakdown =
                RoundBreakdowns.applied(recording).rounds().getFirst().anatomy().orElseThrow();

        assertThat(breakdown.ms(Cause.DOWNSTREAM)).isCloseTo(40, Offset.offset(1.0));
        assertThat(breakdown.ms(Cause.FUTURE))
                .isCloseTo(100 - 40 - breakdown.ms(Cause.CPU), Offset.offset(1.0));
        assertThat(breakdown.unexplainedMs()).isCloseTo(0, Offset.offset(1.0));
    }

    @Test
    void countsTaskAndItsWaitOnce() {
        // 20 requests wait for subtasks, 4 of which run. The response time is 200 ms, of which 40
        // ms are reads.
        var threadSamples =
                census(100, busy(Cause.FUTURE, "task", 20), busy(Cause.DOWNSTREAM, "h:1", 4));

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(threadSamples, Optional.empty(), Optional.empty(), 200);

        assertThat(breakdown.ms(Cause.DOWNSTREAM)).isCloseTo(40, CLOSE);
        assertThat(breakdown.ms(Cause.FUTURE)).isCloseTo(160, CLOSE);
        assertThat(breakdown.unexplainedMs()).isCloseTo(0, CLOSE);
    }

    /// The reconciliation of all figures removes the surplus later (ClosedPointTest).
    @Test
    void keepsMeasuredPartsThatExceedTotal() {
        Breakdown breakdown =
                BreakdownOfRound.ofSamples(
                        census(100, busy(Cause.LOCK, "x", 20)),
                        Optional.empty(),
                        Optional.empty(),
                        100);

        assertThat(breakdown.sumMs()).isCloseTo(200, CLOSE);
    }

    /// Each request runs four tasks at once, each a call of 20 ms. It waits 20 ms, not 80.
    @Test
    void parallelTasksTakeTheTimeOfOneTask() {
        var workers =
                new ThreadSamples.Pool(
                        "tile", 8, 8, 0, 0, false, false, 0, Map.of(Cause.DOWNSTREAM, 8.0));
        var threadSamples =
                SamplesVariant.withPools(
                        census(
                                100,
                                busy(Cause.FUTURE, "task", 2),
                                busy(Cause.DOWNSTREAM, "h:1", 8),
                                busy(Cause.LOCK, "x", 0.5)),
                        workers);

        Breakdown breakdown =
                BreakdownOfRound.ofSamples(threadSamples, Optional.empty(), Optional.empty(), 25);

        assertThat(breakdown.ms(Cause.DOWNSTREAM)).isCloseTo(20, CLOSE);
        assertThat(breakdown.ms(Cause.LOCK)).as("of the request's own thread").isCloseTo(5, CLOSE);
        assertThat(breakdown.ms(Cause.FUTURE)).isCloseTo(0, CLOSE);
        assertThat(breakdown.topN().getFirst().ms()).isCloseTo(20, CLOSE);
    }

    @Test
    void allTimeIsUnexplainedWithoutThroughput() {
        Breakdown breakdown =
                BreakdownOfRound.ofSamples(
                        census(0, busy(Cause.LOCK, "x", 20)),
                        Optional.empty(),
                        Optional.empty(),
                        50);

        assertThat(breakdown.unexplainedMs()).isEqualTo(50);
        assertThat(breakdown.perRequestMs()).isEmpty();
    }

    /// Of 40 ms, the observed threads leave about 10 ms unexplained.
    @Test
    void jvmStopsBelongToUnexplainedTime() {
        ThreadSamples threadSamples = census(1000, busy(Cause.LOCK, "com.acme.Cache", 30));
        double unseen = BreakdownOfRound.ofSamples(threadSamples, stopped(0)).unexplainedMs();
        double tenth = stopped(0.1).rtMs().mean() * 0.1;
        assertThat(unseen).isGreaterThan(tenth);

        Breakdown some = BreakdownOfRound.ofSamples(threadSamples, stopped(0.1));
        assertThat(some.ms(Cause.SAFEPOINT)).isCloseTo(tenth, CLOSE);
        assertThat(some.unexplainedMs()).isCloseTo(unseen - tenth, CLOSE);
        Breakdown all = BreakdownOfRound.ofSamples(threadSamples, stopped(0.9));
        assertThat(all.ms(Cause.SAFEPOINT))
                .as("no more than the others leave")
                .isCloseTo(unseen, CLOSE);
        assertThat(all.unexplainedMs()).isCloseTo(0, CLOSE);
        assertThat(BreakdownOfRound.ofSamples(threadSamples, stopped(0.005)).ms(Cause.SAFEPOINT))
                .isZero();
    }

    private static Round stopped(double share) {
        return RoundFixture.round(40, 1000).stops(share, 0, 8).build();
    }
}
