package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.QPS;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.wait.WaitingRulesTest.limits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.cpu.ClassLoadingRule;
import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.measure.thread.Calls;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Requests without a thread, and threads that look idle or all wait at the same place in the JDK.
class UnseenCallsTest {
    /// An asynchronous client: 20 requests in flight, no busy thread, three connections.
    private static EvidenceFixture outside(double connections) {
        return plateau()
                .gaveMore(QPS)
                .rounds(r -> r.cores(0.2))
                .sign(Sign.DOWNSTREAM_CONNECTIONS, connections, "10.0.0.7:5432");
    }

    @Test
    void requestsWithoutThreadWaitForFewConnections() {
        Finding finding = new ConnectionPoolRule().evaluate(outside(3).build());

        assertThat(limits(finding).where()).isEqualTo("10.0.0.7:5432");
        assertThat(outside(3).verdict().bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
    }

    @Test
    void singleConnectionMayMultiplexAndManyConnectionsMeanDownstream() {
        assertThat(new ConnectionPoolRule().evaluate(outside(1).build()))
                .isNotInstanceOf(Finding.Limits.class);
        assertThat(outside(20).verdict().bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
        assertThat(new ConnectionPoolRule().evaluate(outside(0).build()))
                .isNotInstanceOf(Finding.Limits.class);
    }

    private static final String CARRIER = "10.0.0.7:8080";
    private static final String DEPOT = "10.0.0.8:8080";

    /// Two services behind an asynchronous client. The kernel shows which connections await an
    /// answer.
    private static EvidenceFixture known() {
        return plateau().gaveMore(QPS).rounds(r -> r.cores(0.2));
    }

    /// Recorded from a Vert.x client with 5 connections to one of two services, 40 in flight. The
    /// median response time did not grow, because most requests went to the other service.
    @Test
    void namesPoolWithAllConnectionsInUseForRequestsWithoutThread() {
        var evidence = known().calls(CARRIER, 5, 4.8).calls(DEPOT, 12, 1.4);

        Finding.Limits finding = limits(new ConnectionPoolRule().evaluate(evidence.build()));

        assertThat(finding.where()).isEqualTo(CARRIER);
        assertThat(finding.says()).contains("all 5 connections", "await an answer");
        assertThat(finding.evidence()).anyMatch(e -> e.id().equals("in-use"));
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
    }

    @Test
    void connectionsNotAllInUseAreNoSaturatedPool() {
        assertThat(known().calls(CARRIER, 5, 3.9).verdict().bottleneck())
                .isNotEqualTo(Bottleneck.CONNECTION_POOL);
    }

    @Test
    void fullPoolIsNoLimitIfAllRequestsAreCalling() {
        var evidence = known().calls(CARRIER, 8, 7.8).calls(DEPOT, 20, 11);

        assertThat(new ConnectionPoolRule().evaluate(evidence.build()))
                .isNotInstanceOf(Finding.Limits.class);
    }

    /// Jersey suspends its responses. Five executor threads make calls, 15 requests queue for them,
    /// and the container's threads are idle.
    @Test
    void callsThatThreadsWaitForAreNotCountedTwice() {
        var evidence =
                known().calls(CARRIER, 5, 4.8)
                        .pool(new ThreadSamples.Pool("grizzly-http-server", 4, 0.1, 3.9, 3, true))
                        .pool(new ThreadSamples.Pool("offers", 5, 5, 0, 0, false))
                        .busy(Cause.DOWNSTREAM, CARRIER, 5);

        assertThat(new ConnectionPoolRule().evaluate(evidence.build()))
                .isNotInstanceOf(Finding.Limits.class);
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
        assertThat(evidence.verdict().where()).isEqualTo("offers");
    }

    @Test
    void aConnectionForEachCallIsNoPool() {
        var evidence = known().calls(new Calls(PlaceText.peer(CARRIER), 5, 5, 50)).build();

        assertThat(new ConnectionPoolRule().evaluate(evidence))
                .isNotInstanceOf(Finding.Limits.class);
    }

    @Test
    void slowerCallsBehindFullPoolAreDownstreamLimit() {
        // a quarter of the load has the same throughput with 2 of 5 connections in use, then all
        // are in use
        var evidence = known().relaxedCalls(CARRIER, 5, 2).calls(CARRIER, 5, 5);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
        assertThat(
                        known().relaxedCalls(CARRIER, 5, 4.5)
                                .calls(CARRIER, 5, 5)
                                .verdict()
                                .bottleneck())
                .isEqualTo(Bottleneck.CONNECTION_POOL);
    }

    @Test
    void namesServiceWithOpenCallsInsteadOfIdleConnections() {
        var evidence = known().calls(CARRIER, 20, 17.5).calls(DEPOT, 64, 1.5);

        Finding.Limits finding = limits(new DownstreamRule().evaluate(evidence.build()));

        assertThat(finding.where()).isEqualTo(CARRIER);
        assertThat(finding.confidence()).isGreaterThan(0.84);
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
    }

    @Test
    void callsOfAnAsynchronousDriverAreTheDatabases() {
        var evidence =
                known().calls(
                                new Calls(
                                        PlaceText.peer("PostgreSQL 10.0.0.9:5432"),
                                        20,
                                        17.5,
                                        20,
                                        true));

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.DATABASE);
        assertThat(evidence.verdict().where()).contains("PostgreSQL 10.0.0.9:5432");
        assertThat(new DownstreamRule().evaluate(evidence.build()))
                .isNotInstanceOf(Finding.Limits.class);
    }

    @Test
    void callsWithConstantTimeDoNotQueue() {
        var evidence = known().relaxedCalls(CARRIER, 20, 12).calls(CARRIER, 20, 12);

        assertThat(limits(new DownstreamRule().evaluate(evidence.build())).confidence())
                .isLessThan(0.5);
    }

    @Test
    void requestsWithoutThreadAndCallMeanRateLimit() {
        var evidence = known().calls(CARRIER, 12, 1.2);

        Finding.Limits finding = limits(new RateLimitRule().evaluate(evidence.build()));

        assertThat(finding.confidence()).isEqualTo(RateLimitRule.NOWHERE_SURE);
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.RATE_LIMIT);
    }

    @Test
    void saturatedResourceExcludesRateLimit() {
        assertThat(new RateLimitRule().evaluate(known().calls(CARRIER, 1, 0.9).build()))
                .isNotInstanceOf(Finding.Limits.class);
        assertThat(
                        new RateLimitRule()
                                .evaluate(
                                        known().calls(CARRIER, 12, 1.2)
                                                .sign(Sign.HOTTEST_THREAD_CORES, 0.95)
                                                .build()))
                .isNotInstanceOf(Finding.Limits.class);
        assertThat(
                        new RateLimitRule()
                                .evaluate(
                                        known().calls(CARRIER, 12, 1.2)
                                                .busy(Cause.DOWNSTREAM, CARRIER, 4)
                                                .build()))
                .isNotInstanceOf(Finding.Limits.class);
    }

    @Test
    void searchForMissingClassesIsClassLoading() {
        var evidence =
                plateau()
                        .sign(Sign.CLASSES_LOADED_PER_S, 0)
                        .busy(Cause.CLASS_LOADING, "class loading in Atelier", 18);

        Finding finding = new ClassLoadingRule().evaluate(evidence.build());

        assertThat(limits(finding).says()).contains("do not exist");
    }

    /// Recorded from a sort with one shared collator. It is fast with few threads, then all wait
    /// for the collator's monitor.
    @Test
    void saturatedCpuLowersConfidenceOfLock() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.9))
                        .held(Cause.LOCK, "java.util.Vector", 13.6, "running")
                        .busy(Cause.CPU, "sorted", 4);

        Finding finding = new LockRule().evaluate(evidence.build());

        assertThat(limits(finding).confidence()).isEqualTo(Doubt.MAX_CONFIDENCE);
        assertThat(limits(finding).evidence())
                .anyMatch(
                        e -> e.says().text().contains("few of the threads in use wait for a core"));
    }

    /// A pool that no stack frame shows. 4 connections to the database are always in use, and 28
    /// threads wait on a condition.
    @Test
    void threadsInUnknownWaitWaitForConnectionsInFullUse() {
        var evidence =
                plateau()
                        .gaveMore(QPS)
                        .rounds(r -> r.cores(0.2))
                        .busy(Cause.OTHER, "waiting for ConditionObject@7", 28)
                        .busy(Cause.DATABASE, "PostgreSQL 10.0.0.7:5432", 3.9);
        var inUse =
                evidence.calls(
                        new Calls(PlaceText.peer("PostgreSQL 10.0.0.7:5432"), 4, 3.9, 4, true));

        assertThat(inUse.verdict().bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
        assertThat(inUse.verdict().confidence())
                .isLessThanOrEqualTo(ConnectionPoolRule.MAX_IF_POOL_UNKNOWN);
    }

    /// Jetty's client has 4 connections, always in use. 24 more threads wait for its answers.
    @Test
    void waitersOfAsynchronousClientWaitForItsConnections() {
        String place = "10.0.0.7:80";
        EvidenceFixture few =
                futuresBeside(
                        "an asynchronous client", new Calls(PlaceText.peer(place), 4, 3.9, 4));

        assertThat(few.verdict().bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
        assertThat(few.verdict().confidence())
                .isLessThanOrEqualTo(ConnectionPoolRule.MAX_IF_POOL_UNKNOWN);
    }

    /// One connection may carry many calls. If an executor of 4 threads makes the calls that other
    /// threads wait for, its threads are the limit.
    @Test
    void singleConnectionOrExecutorConnectionsAreNoPool() {
        String place = "10.0.0.7:80";

        assertThat(
                        List.of(
                                futuresBeside(
                                        "an asynchronous client",
                                        new Calls(PlaceText.peer(place), 1, 1, 1)),
                                futuresBeside(
                                        "a thread", new Calls(PlaceText.peer(place), 4, 3.9, 4))))
                .extracting(e -> new ConnectionPoolRule().evaluate(e.build()))
                .noneMatch(Finding.Limits.class::isInstance);
    }

    private static EvidenceFixture futuresBeside(String caller, Calls calls) {
        return plateau()
                .gaveMore(QPS)
                .rounds(r -> r.cores(0.2))
                .busy(Cause.FUTURE, "result of another task in com.acme.Page.get", 24)
                .held(Cause.DOWNSTREAM, calls.where(), calls.awaiting(), caller)
                .calls(calls);
    }

    @Test
    void threadsDoNotWaitForFreeConnections() {
        var free =
                plateau()
                        .gaveMore(QPS)
                        .rounds(r -> r.cores(0.2))
                        .busy(Cause.OTHER, "waiting for ConditionObject@7", 28)
                        .busy(Cause.DATABASE, "PostgreSQL 10.0.0.7:5432", 3.9)
                        .calls(
                                new Calls(
                                        PlaceText.peer("PostgreSQL 10.0.0.7:5432"),
                                        8,
                                        3.9,
                                        8,
                                        true));

        assertThat(new ConnectionPoolRule().evaluate(free.build()))
                .isNotInstanceOf(Finding.Limits.class);
    }

    /// A housekeeping thread that waits for its next run and never looks idle.
    private static ThreadSamples.Pool housekeeper() {
        return new ThreadSamples.Pool(
                "IdleRemover", 1, 1, 0, 0, false, false, 0, Map.of(Cause.POOL, 1.0));
    }

    /// Undertow's request limit: 6 requests are admitted, and the others have no thread, although 4
    /// of 10 are idle.
    private static EvidenceFixture letIn(int idle) {
        return plateau()
                .gaveMore(QPS)
                .rounds(r -> r.cores(0.2))
                .busy(Cause.DOWNSTREAM, CARRIER, 6)
                .relaxed(Cause.DOWNSTREAM, CARRIER, 6)
                .calls(CARRIER, 6, 5.9)
                .pool(new ThreadSamples.Pool("default task", 6 + idle, 6, idle, idle, true))
                .pool(housekeeper())
                .sign(Sign.REQUESTS_INSIDE, 20);
    }

    @Test
    void requestsWithoutThreadDespiteIdleThreadsAreRateLimited() {
        var verdict = letIn(4).verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.RATE_LIMIT);
        assertThat(verdict.where()).isEqualTo("6 requests at a time");
        assertThat(letIn(0).verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
        assertThat(letIn(4).unread(14).verdict().bottleneck()).isNotEqualTo(Bottleneck.RATE_LIMIT);
        assertThat(letIn(4).calls(DEPOT, 1, 1).verdict().bottleneck())
                .isNotEqualTo(Bottleneck.RATE_LIMIT);
    }

    /// Jetty's buffers under ZGC with -Xmx270m. Each new buffer requests a collection and waits for
    /// it.
    @Test
    void callerOfSystemGcWaitsForCollection() {
        var verdict =
                plateau()
                        .gaveMore(QPS)
                        .rounds(r -> r.cores(1.1))
                        .busy(Cause.GC, "System.gc()" + " for direct memory", 16)
                        .busy(Cause.CPU, "com.acme.Page.get", 1)
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.GC_EXPLICIT);
        assertThat(verdict.where()).isEqualTo("System.gc() for direct memory");
        assertThat(verdict.says()).contains("-XX:MaxDirectMemorySize");
    }
}
