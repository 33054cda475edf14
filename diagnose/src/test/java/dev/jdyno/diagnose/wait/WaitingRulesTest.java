package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static dev.jdyno.diagnose.wait.EventLoopRuleTest.loops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.jdyno.diagnose.evidence.Doubt;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Finding;
import dev.jdyno.diagnose.evidence.Waiting;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rules about waiting threads: inner executors, rate limiters, serial calls, pinning.
public class WaitingRulesTest {
    private static ThreadSamples.Pool executor(double size, double idle, Map<Cause, Double> doing) {
        return new ThreadSamples.Pool(
                "pool-2-thread", size, size - idle, idle, 0, false, false, 0, doing);
    }

    public static Finding.Limits limits(Finding finding) {
        return (Finding.Limits) finding;
    }

    @Test
    void fullInnerExecutorStarvesWaitingRequests() {
        var evidence =
                plateau()
                        .pool(new ThreadSamples.Pool("exec", 40, 19, 21, 20, true))
                        .pool(executor(4, 0.1, Map.of(Cause.DOWNSTREAM, 3.9)))
                        .busy(Cause.FUTURE, "result of another task", 19)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 3.9);

        Finding finding = new PoolStarvationRule().evaluate(evidence.build());

        assertThat(limits(finding).where()).isEqualTo("pool-2-thread");
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
    }

    @Test
    void reportsDeadlockRiskOfNestedTasks() {
        Finding finding =
                new PoolStarvationRule()
                        .evaluate(
                                plateau()
                                        .pool(executor(4, 0, Map.of(Cause.FUTURE, 3.0)))
                                        .busy(Cause.FUTURE, "result of another task", 19)
                                        .build());

        assertThat(limits(finding).says()).contains("deadlock");
    }

    @Test
    void taskWaitWithFreeWorkersIsNoStarvation() {
        Finding finding =
                new PoolStarvationRule()
                        .evaluate(
                                plateau()
                                        .pool(executor(40, 20, Map.of(Cause.DOWNSTREAM, 20.0)))
                                        .busy(Cause.FUTURE, "result of another task", 19)
                                        .build());

        assertThat(finding).isInstanceOf(Finding.Cleared.class);
    }

    @Test
    void aFullExecutorBehindEventLoopsIsTheThreadPool() {
        var evidence =
                plateau()
                        .pool(loops(2, 0.1, Map.of(Cause.CPU, 0.1)))
                        .pool(executor(5, 0, Map.of(Cause.DOWNSTREAM, 5.0)))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 5);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
        assertThat(evidence.verdict().where()).isEqualTo("pool-2-thread");
    }

    /// MuServer on two cores. Its handlers wait until Netty's loops have written, and all threads
    /// wait for a core.
    @Test
    void runQueueExceedingCoresNamesCpu() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(1.93))
                        .busy(Cause.POOL, "notification in com.acme.Exchange.block", 12.9)
                        .busy(Cause.LOCK, "a notification in com.acme.Exchange.block", 6.5)
                        .busy(Cause.RUN_QUEUE, "run queue", 4.6)
                        .busy(Cause.CPU, "com.acme.Report.rows", 0.4);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.CPU);
        var few =
                plateau()
                        .rounds(r -> r.cores(1.93))
                        .busy(Cause.POOL, "notification in com.acme.Exchange.block", 19.4)
                        .busy(Cause.RUN_QUEUE, "run queue", 0.6)
                        .busy(Cause.CPU, "com.acme.Report.rows", 0.4);
        assertThat(few.build().cpuIsShort()).isFalse();
    }

    @Test
    void semaphoreWithoutHolderIsRateLimiter() {
        var evidence = plateau().busy(Cause.POOL, "Semaphore in com.acme.Api.call", 19.5);

        assertThat(limits(new RateLimitRule().evaluate(evidence.build())).where())
                .contains("Semaphore");
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.RATE_LIMIT);
    }

    @Test
    void semaphoreHeldDuringCallMayBeAPool() {
        var evidence = heldOverACall("Semaphore in com.acme.Api.call");

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.RATE_LIMIT);
        assertThat(evidence.verdict().confidence()).isLessThan(0.9);
        assertThat(evidence.verdict().says()).contains("inside: probably downstream");
        assertThat(evidence.verdict().runnersUp().getFirst().bottleneck())
                .isEqualTo(Bottleneck.CONNECTION_POOL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Semaphore in com.acme.SocketPool.take",
                "Semaphore in com.acme.Db.borrowConnection",
                "Semaphore in com.acme.Channels.checkout"
            })
    void semaphoreOfClassNamedPoolIsAPool(String where) {
        var evidence = heldOverACall(where);

        assertThat(new RateLimitRule().evaluate(evidence.build()))
                .isInstanceOf(Finding.Cleared.class);
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
    }

    private static EvidenceFixture heldOverACall(String where) {
        return plateau()
                .held(Cause.POOL, where, 15, "probably downstream: 127.0.0.1:9000")
                .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 4);
    }

    @Test
    void sleepIsNoLimitIfCpuIsShort() {
        Finding limited =
                new RateLimitRule().evaluate(plateau().busy(Cause.SLEEP, "sleep", 20).build());
        Finding burning =
                new RateLimitRule()
                        .evaluate(
                                plateau()
                                        .rounds(r -> r.cores(1.95))
                                        .busy(Cause.SLEEP, "sleep", 20)
                                        .busy(Cause.RUN_QUEUE, "run queue", 12)
                                        .busy(Cause.CPU, "com.acme.Page.get", 2)
                                        .build());

        assertThat(limits(limited).confidence()).isGreaterThan(0.9);
        assertThat(limits(burning).confidence()).isLessThan(0.5);
    }

    @Test
    void waitingVirtualThreadsOnAllCarriersArePinned() {
        var evidence =
                plateau()
                        .sign(Sign.VIRTUAL_THREADS, 60)
                        .sign(Sign.PINNED_THREADS, 2)
                        .busy(Cause.SLEEP, "sleep in com.acme.Session.refresh", 2);

        assertThat(limits(new VirtualThreadPinningRule().evaluate(evidence.build())).where())
                .contains("Session");
        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.VIRTUAL_THREAD_PINNING);
    }

    @Test
    void virtualThreadsThatReleaseCarriersAreNotPinned() {
        assertThat(
                        new VirtualThreadPinningRule()
                                .evaluate(
                                        plateau()
                                                .sign(Sign.VIRTUAL_THREADS, 60)
                                                .sign(Sign.PINNED_THREADS, 0.1)
                                                .build()))
                .isInstanceOf(Finding.Cleared.class);
        assertThat(new VirtualThreadPinningRule().evaluate(plateau().build()))
                .isInstanceOf(Finding.NotApplicable.class);
    }

    @Test
    void rulesExplainMissingDumps() {
        Evidence evidence = plateau().notLookedInto().build();

        assertThat(
                        Stream.of(
                                new EventLoopRule(),
                                new PoolStarvationRule(),
                                new RateLimitRule(),
                                new DownstreamSerialRule(),
                                new VirtualThreadPinningRule()))
                .allSatisfy(rule ->
                        assertThat(rule.evaluate(evidence))
                                .asInstanceOf(type(Finding.NotApplicable.class))
                                .extracting(Finding.NotApplicable::reason)
                                .asString()
                                .isNotEmpty());
    }

    @Test
    void connectionsShowCallsWithoutWaitingThread() {
        // an asynchronous client: every thread is idle, with twenty requests in flight and twenty
        // connections
        var evidence =
                plateau()
                        .pool(loops(2, 0.1, Map.of(Cause.CPU, 0.1)))
                        .busy(Cause.CPU, "com.acme.Handler.run", 0.1)
                        .sign(Sign.DOWNSTREAM_CONNECTIONS, 20, "127.0.0.1:9000");

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
        assertThat(evidence.verdict().where()).isEqualTo("127.0.0.1:9000");
        assertThat(evidence.verdict().confidence()).isLessThan(0.9);
    }

    @Test
    void idleThreadsWithFewConnectionsAreNoDownstream() {
        var evidence =
                plateau()
                        .pool(loops(2, 0.1, Map.of(Cause.CPU, 0.1)))
                        .busy(Cause.CPU, "com.acme.Handler.run", 0.1)
                        .sign(Sign.DOWNSTREAM_CONNECTIONS, 2, "127.0.0.1:9000");

        assertThat(new DownstreamRule().evaluate(evidence.build()))
                .isNotInstanceOf(Finding.Limits.class);
    }

    @Test
    void connectionsAreNoLimitWhileThroughputRises() {
        var evidence =
                plateau()
                        .delay(50)
                        .pool(loops(2, 0.1, Map.of(Cause.CPU, 0.1)))
                        .busy(Cause.CPU, "com.acme.Handler.run", 0.1)
                        .sign(Sign.DOWNSTREAM_CONNECTIONS, 40, "127.0.0.1:9000");

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.LOAD);
    }

    @Test
    void idleServiceLacksNoCoreDespiteNeighbours() {
        // Builds use 1.73 of 2 cores. The service used the remaining 0.19 cores for calls that
        // another service answers.
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.19).others(1.73))
                        .busy(Cause.RUN_QUEUE, "run queue", 0.18)
                        .sign(Sign.JIT_CORES, 0.1)
                        .sign(Sign.COMPILER_OFF, 0)
                        .sign(Sign.DOWNSTREAM_CONNECTIONS, 20, "127.0.0.1:9000");

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
    }

    @Test
    void namesNeighboursIfThreadsWaitForTheirCores() {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.5).others(1.4))
                        .busy(Cause.CPU, "com.acme.Burn.run", 0.5)
                        .busy(Cause.RUN_QUEUE, "run queue", 8)
                        .sign(Sign.NEIGHBOUR_CORES, 1.4, "java com.acme.Archive (pid 10) 1.40");

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.CPU_NEIGHBOUR);
        assertThat(evidence.verdict().evidence())
                .anyMatch(e -> e.says().text().endsWith("java com.acme.Archive (pid 10) 1.40"));
    }

    /// Vert.x next to four compressors. Two loops used 0.52 cores and waited for 1.4 cores, but
    /// dumps found only half a thread busy.
    @ParameterizedTest
    @CsvSource({"1.4, 0, CPU_NEIGHBOUR", "0.2, 0, UNKNOWN", "1.4, 18, DOWNSTREAM"})
    void loopsInSelectorsCanLackCoresUsedByNeighbours(
            double waiting, double calls, Bottleneck name) {
        var evidence =
                plateau()
                        .rounds(r -> r.cores(0.58).others(1.40).waitingForCores(waiting))
                        .pool(loops(2, 0.52, Map.of(Cause.CPU, 0.5)))
                        .calls("127.0.0.1:9000", 20, calls)
                        .busy(Cause.CPU, "com.acme.Mail.render", 0.14)
                        .busy(Cause.RUN_QUEUE, "run queue", 0.36)
                        .sign(Sign.HOTTEST_THREAD_CORES, 0.27, "loop-1");

        assertThat(evidence.verdict().bottleneck()).isEqualTo(name);
    }

    @Test
    void waitForSingleServingThreadIsThreadPoolLimit() {
        // the JDK's HTTP server without an executor, with a call of 10 ms
        var evidence =
                plateau()
                        .pool(
                                new ThreadSamples.Pool(
                                        "HTTP-Dispatcher",
                                        1,
                                        1,
                                        0,
                                        0,
                                        true,
                                        false,
                                        0.04,
                                        Map.of(Cause.DOWNSTREAM, 1.0)))
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:18101", 1)
                        .sign(Sign.LISTEN_OVERFLOWS_PER_S, 0)
                        .listenQueue(20.6);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
    }

    @Test
    void unfairPoolIsSaturatedDespiteConstantMedian() {
        // HikariCP with 4 connections, each held 25 ms, with 10 in flight. A thread that returns a
        // connection often borrows it again. So the median grew only 1.13-fold, and the 99th
        // percentile 10-fold.
        var evidence =
                plateau()
                        .rounds(r -> r.p50(100))
                        .relaxed(Cause.SLEEP, "sleep in com.acme.Dao.hold", 2)
                        .held(Cause.POOL, "HikariCP in com.acme.Dao.hold", 5.9, "sleep")
                        .busy(Cause.SLEEP, "sleep in com.acme.Dao.hold", 3.9);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
    }

    /// One in three requests looks a name up. Recorded with 5, 20 and 40 in flight: median 6.9, 6.9
    /// and 6.7 ms, 90th percentile 37, 160 and 319 ms.
    @Test
    void waitOfSomeRequestsCountsDespiteConstantMedian() {
        var queues =
                plateau()
                        .rounds(r -> r.p50(100))
                        .relaxed(Cause.DNS, "DNS lookup in com.acme.Mail.send", 2)
                        .busy(Cause.DNS, "DNS lookup in com.acme.Mail.send", 18);
        var standsStill =
                plateau()
                        .rounds(r -> r.p50(100).p90(130))
                        .relaxed(Cause.DNS, "DNS lookup in com.acme.Mail.send", 2)
                        .busy(Cause.DNS, "DNS lookup in com.acme.Mail.send", 18);

        assertThat(limits(new DnsRule().evaluate(queues.build())).confidence())
                .isEqualTo(Doubt.MAX_CONFIDENCE);
        assertThat(limits(new DnsRule().evaluate(standsStill.build())).confidence())
                .isLessThan(0.6);
    }

    @Test
    void detectsQueueOfPoolSaturatedAtLowestLoad() {
        // Virtual threads and HikariCP with 5 connections. 5 in flight give as much as 20.
        var evidence =
                plateau()
                        .gaveMore(EvidenceFixture.QPS)
                        .rounds(r -> r.p50(52))
                        .relaxed(Cause.DATABASE, "H2 127.0.0.1:9092", 5)
                        .held(Cause.POOL, "HikariCP in com.acme.Dao.find", 15, "database")
                        .busy(Cause.DATABASE, "H2 127.0.0.1:9092", 5);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
        assertThat(evidence.verdict().confidence()).isGreaterThan(0.7);
    }

    @Test
    void singleDumpDoesNotDescribeThreads() {
        // a worker of an asynchronous client, found once in ten dumps waiting for a lock
        var evidence =
                plateau()
                        .busy(Cause.LOCK, "java.util.concurrent.locks.ReentrantLock@e0a9", 0.1)
                        .sign(Sign.DOWNSTREAM_CONNECTIONS, 20, "127.0.0.1:9000");

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.DOWNSTREAM);
    }

    /// A log receiver that reads its buffer all at once, so rounds have 0, 0 and 1390/s.
    @Test
    void namesWaitForLogDespiteBurstsOfThroughput() {
        var verdict =
                plateau()
                        .answersInBursts(1390)
                        .held(
                                Cause.LOGGING,
                                "log4j2 waiting for TcpSocketManager@f05c8b08 in com.acme.Page.get",
                                39,
                                "logging: log4j2 formatting")
                        .busy(Cause.LOGGING, "log4j2 formatting in com.acme.Page.get", 1)
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.LOGGING);
        assertThat(verdict.confidence()).isBetween(0.75, 0.9);
    }

    /// A worker pool waits for its collector. Some dumps find an event loop at the pool's queue.
    @Test
    void waitOfLessThanOneThreadIsNoLimit() {
        double always =
                limits(new ConnectionPoolRule().evaluate(dispatching(1).build())).confidence();
        assertThat(limits(new ConnectionPoolRule().evaluate(dispatching(0.5).build())).confidence())
                .isLessThan(0.6 * always);
    }

    private static EvidenceFixture dispatching(double waiting) {
        return plateau()
                .busy(Cause.POOL, "queue in NettyContext.dispatch", waiting)
                .busy(Cause.CPU, "com.acme.Page.get", 0.5);
    }

    /// Hibernate's open session in view: ten connections are held during a call in the controller.
    /// Some dumps find a thread in a query of the method that borrows.
    @ParameterizedTest
    @CsvSource({"9.0, 0.5, false", "0.5, 9.0, true"})
    void namesNoHolderFromFewOfManyCandidates(double calling, double querying, boolean reported) {
        var verdict =
                plateau()
                        .held(
                                Cause.POOL,
                                "HikariCP in com.acme.Orders.find",
                                29.6,
                                "probably database: PostgreSQL 127.0.0.1:5432 in com.acme.Orders.find")
                        .busy(Cause.DOWNSTREAM, "JDK-HttpClient 127.0.0.1:8080", calling)
                        .busy(Cause.DATABASE, "PostgreSQL 127.0.0.1:5432", querying)
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CONNECTION_POOL);
        assertThat(verdict.says().text().contains("; the holder ")).isEqualTo(reported);
        assertThat(verdict.evidence())
                .filteredOn(e -> e.id().equals("beside-the-pool"))
                .hasSize(reported ? 0 : 1)
                .allSatisfy(e -> assertThat(e.says()).contains("9.0 threads", "127.0.0.1:8080"));
    }

    @Test
    void namesDiskIfItsInterruptsWaitForBusyCore() {
        var io = Map.of(Cause.DISK, 52.6, Cause.CPU, 1.4);
        UnaryOperator<EvidenceFixture> fast =
                e ->
                        e.pool(
                                        new ThreadSamples.Pool(
                                                "http", 82, 54.1, 27.9, 2, true, false, 1, io))
                                .busy(Cause.RUN_QUEUE, "run queue", 31.3)
                                .busy(Cause.DISK, "file I/O in shop.Files.read", 21.7)
                                .relaxed(Cause.DISK, "file I/O in shop.Files.read", 5.6)
                                .sign(Sign.PSI_IO, 0.82);
        var left = fast.apply(plateau().rounds(r -> r.cores(1.2)));
        var usedUp = fast.apply(plateau().rounds(r -> r.cores(1.95)));

        Finding.Limits named = limits(new DiskRule().evaluate(left.build()));
        assertThat(named.confidence()).isEqualTo(Waiting.MAX_IF_ON_CORE);
        assertThat(named.evidence())
                .anySatisfy(l -> assertThat(l.says()).contains("31.3 threads wait for a core"));
        assertThat(new DiskRule().evaluate(usedUp.build())).isInstanceOf(Finding.Cleared.class);
        assertThat(new DiskRule().evaluate(left.sign(Sign.PSI_IO, 0.1).build()))
                .isInstanceOf(Finding.Cleared.class);
    }

    /// 58,000 reads/s of a virtual disk on JDK 25. By the kernel's counters, all 41 threads in file
    /// reads used or waited for a core, while a quarter of the machine was idle.
    @Test
    void namesDiskWithoutThreadsInDiskWait() {
        String file = "file I/O in shop.Files.read";
        var threadSamples =
                plateau()
                        .rounds(r -> r.cores(1.4))
                        .pool(
                                new ThreadSamples.Pool(
                                        "http",
                                        83,
                                        41,
                                        42,
                                        2,
                                        true,
                                        false,
                                        1.2,
                                        Map.of(Cause.DISK, 40.2, Cause.CPU, 0.8)))
                        .busy(Cause.RUN_QUEUE, "run queue", 40)
                        .busy(Cause.CPU, file, 1)
                        .relaxed(Cause.DISK, file, 2.9)
                        .sign(Sign.PSI_IO, 0.72);

        Finding.Limits named = limits(new DiskRule().evaluate(threadSamples.build()));

        assertThat(named.where()).isEqualTo(file);
        assertThat(named.confidence()).isEqualTo(Waiting.MAX_IF_ON_CORE);
        assertThat(named.says()).contains("40.2 of 41.0 threads in use stand in " + file);
    }
}
