package dev.jdyno.diagnose.wait;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A pool whose threads wait for tasks, in its own queue or in other threads.
class PoolStarvationRuleTest {
    private static final String TASK = "result of another task";

    /// Eight threads that handle requests. Each waits for a task.
    private static ThreadSamples.Pool allWait() {
        return new ThreadSamples.Pool(
                "crew", 8, 8, 0, 0, true, false, 0, Map.of(Cause.FUTURE, 8.0));
    }

    @Test
    void poolThatWaitsForTasksInItsQueueIsStarved() {
        // eight handlers run on the executor to which they submit tasks, with timeouts: 385/s with
        // 5 in flight, 40/s with 20
        var evidence =
                plateau()
                        .gaveMore(4 * EvidenceFixture.QPS)
                        .pool(allWait())
                        .busy(Cause.FUTURE, TASK, 8);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(evidence.verdict().says()).contains("deadlock");
    }

    @Test
    void poolThatWaitsForItsOwnTasksIsStarved() {
        var evidence =
                plateau()
                        .silent()
                        .gaveMore(EvidenceFixture.QPS)
                        .standsStill()
                        .pool(allWait())
                        .busy(Cause.FUTURE, TASK, 8);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
    }

    @Test
    void poolThatWaitsForDownstreamIsTooSmall() {
        // Answers arrive on the thread of an event loop. No executor works on them, and throughput
        // stays.
        var evidence = plateau().pool(allWait()).busy(Cause.FUTURE, TASK, 8);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
    }

    /// Eleven handlers wait at most 140 ms for subtasks in the queue of their own executor: 78/s at
    /// any load.
    @Test
    void namesStarvationIfOnlyThePoolRunsItsTasks() {
        var evidence =
                plateau()
                        .pool(allWait())
                        .busy(Cause.FUTURE, TASK, 8)
                        .calls("127.0.0.1:9000", 3, 0)
                        .sign(Sign.REQUESTS_INSIDE, 20);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(evidence.verdict().confidence()).isLessThan(0.9);
    }

    @Test
    void poolThatWaitsForOpenCallsIsTooSmall() {
        // one HTTP/2 connection carries all calls
        var evidence =
                plateau()
                        .pool(allWait())
                        .busy(Cause.FUTURE, TASK, 8)
                        .calls("127.0.0.1:9000", 1, 1)
                        .sign(Sign.REQUESTS_INSIDE, 20);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
    }

    /// Eight workers behind event loops. Each waits 24 ms for a call over one HTTP/2 connection:
    /// 310/s with 8 in flight and with 16.
    private static EvidenceFixture workersOverOneConnection() {
        return plateau()
                .pool(
                        new ThreadSamples.Pool(
                                "blocking-tasks",
                                8,
                                8,
                                0,
                                0,
                                false,
                                false,
                                0,
                                Map.of(Cause.FUTURE, 7.0, Cause.DOWNSTREAM, 1.0)))
                .busy(Cause.FUTURE, TASK, 7)
                .held(Cause.DOWNSTREAM, "127.0.0.1:9000", 1, "an asynchronous client")
                .calls("127.0.0.1:9000", 1, 1)
                .sign(Sign.REQUESTS_INSIDE, 20);
    }

    @Test
    void idleExecutorWithConstantThroughputIsNotStarved() {
        var evidence = workersOverOneConnection();

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
        assertThat(evidence.verdict().where()).isEqualTo("blocking-tasks");
        assertThat(evidence.gaveMore(4 * EvidenceFixture.QPS).verdict().bottleneck())
                .as("throughput fell: by timeouts")
                .isEqualTo(Bottleneck.POOL_STARVATION);
    }

    @Test
    void executorWithWorkerInAwaitedCallIsStarved() {
        var evidence =
                plateau()
                        .pool(
                                new ThreadSamples.Pool(
                                        "tasks",
                                        8,
                                        8,
                                        0,
                                        0,
                                        false,
                                        false,
                                        0,
                                        Map.of(Cause.FUTURE, 7.0, Cause.DOWNSTREAM, 1.0)))
                        .busy(Cause.FUTURE, TASK, 7)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 1)
                        .calls("127.0.0.1:9000", 1, 1)
                        .sign(Sign.REQUESTS_INSIDE, 20);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(evidence.verdict().says()).contains("tasks in its own queue");
    }

    @Test
    void waitForWorkersOverOneConnectionMeansSmallExecutor() {
        var evidence =
                workersOverOneConnection()
                        .pool(
                                new ThreadSamples.Pool(
                                        "http",
                                        40,
                                        12,
                                        28,
                                        27,
                                        true,
                                        false,
                                        0,
                                        Map.of(Cause.FUTURE, 12.0)))
                        .busy(Cause.FUTURE, "result of a task for a page", 12);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(evidence.verdict().where()).isEqualTo("blocking-tasks");
        assertThat(evidence.verdict().says()).doesNotContain("deadlock");
        assertThat(evidence.verdict().confidence()).isLessThan(0.9);
    }

    @Test
    void poolThatSleepsIsTooSmall() {
        var evidence =
                plateau()
                        .pool(allWait())
                        .pool(
                                new ThreadSamples.Pool(
                                        "CompletableFutureDelayScheduler",
                                        1,
                                        0,
                                        1,
                                        1,
                                        false,
                                        false,
                                        0,
                                        Map.of()))
                        .busy(Cause.FUTURE, TASK, 8)
                        .sign(Sign.REQUESTS_INSIDE, 20);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
    }

    /// A gateway of 60 threads calls a gRPC server in the same JVM, which has six threads.
    @Test
    void waitForOtherPoolOfServiceNamesThatPool() {
        var evidence =
                plateau()
                        .pool(
                                new ThreadSamples.Pool(
                                        "gate",
                                        60,
                                        14,
                                        46,
                                        40,
                                        true,
                                        false,
                                        0,
                                        Map.of(Cause.FUTURE, 14.0)))
                        .pool(
                                new ThreadSamples.Pool(
                                        "rpc",
                                        6,
                                        6,
                                        0,
                                        0,
                                        true,
                                        false,
                                        0,
                                        Map.of(Cause.DOWNSTREAM, 6.0)))
                        .busy(Cause.FUTURE, "an answer of its own at " + "127.0.0.1:9001", 14)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 6)
                        .relaxed(Cause.DOWNSTREAM, "127.0.0.1:9000", 3);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
        assertThat(evidence.verdict().where()).isEqualTo("rpc");
        assertThat(evidence.verdict().says()).contains("(mostly downstream)");
        assertThat(evidence.verdict().evidence().getFirst().says())
                .contains("14.0 other threads of the service wait for answers of this pool");
    }

    @Test
    void poolThatCallsItsOwnPortIsStarved() {
        var evidence =
                plateau()
                        .pool(
                                new ThreadSamples.Pool(
                                        "crew",
                                        8,
                                        8,
                                        0,
                                        0,
                                        true,
                                        false,
                                        0,
                                        Map.of(Cause.FUTURE, 6.0, Cause.DOWNSTREAM, 2.0)))
                        .busy(Cause.FUTURE, "an answer of its own at " + "127.0.0.1:8080", 6)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 2)
                        .relaxed(Cause.DOWNSTREAM, "127.0.0.1:9000", 1);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(evidence.verdict().says()).contains("call to itself");
    }

    /// @param busy number of busy threads; no thread is idle at saturation
    private static ThreadSamples.Pool executor(String name, double size, double busy, Cause cause) {
        return new ThreadSamples.Pool(
                name, size, busy, size - busy, 0, false, false, 0, Map.of(cause, busy));
    }

    /// Each request waits for a task of `render`, which waits for four tasks of `tile`: 20 in
    /// flight, 100/s.
    private static EvidenceFixture tasksOfTasks() {
        return plateau()
                .pool(executor("render", 8, 8, Cause.FUTURE))
                .pool(executor("tile", 3, 3, Cause.DOWNSTREAM))
                .busy(Cause.FUTURE, TASK, 28)
                .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 3)
                .calls("127.0.0.1:9000", 3, 3);
    }

    @Test
    void waitForSaturatedPoolDoesNotLimitOuterPool() {
        var verdict = tasksOfTasks().verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(verdict.where()).isEqualTo("tile");
        assertThat(verdict.says())
                .contains("'render'", "'tile'", "127.0.0.1:9000")
                .doesNotContain("deadlock");
        assertThat(verdict.evidence())
                .filteredOn(Figure.WAITS_FOR_ITSELF::isOf)
                .singleElement()
                .extracting(EvidenceLine::value)
                .isEqualTo(0.0);
    }

    @Test
    void evidenceHasUtilisationBoundOfLastPool() {
        // 1.5 threads at 50/s mean 30 ms a request. Three threads serve 100 such requests a second.
        var verdict =
                tasksOfTasks().relaxedPool(executor("tile", 3, 1.5, Cause.DOWNSTREAM)).verdict();

        assertThat(verdict.where()).isEqualTo("tile");
        assertThat(verdict.evidence())
                .filteredOn(Figure.TASKS_ALLOW::isOf)
                .singleElement()
                .satisfies(l -> {
                    assertThat(l.value()).isCloseTo(100, within(1e-9));
                    assertThat(l.limit()).isEqualTo(EvidenceFixture.QPS);
                });
    }

    @Test
    void theLastOfThreePoolsLimits() {
        var verdict = tasksOfTasks().pool(executor("page", 5, 5, Cause.FUTURE)).verdict();

        assertThat(verdict.where()).isEqualTo("tile");
        assertThat(verdict.says()).contains("'render'", "'page'");
    }

    /// One thread that is busy at any load would allow 50/s, but 100/s were answered.
    @Test
    void poolTooSmallForThroughputIsNotTheAwaitedPool() {
        var verdict =
                plateau()
                        .pool(executor("render", 8, 8, Cause.FUTURE))
                        .pool(executor("archive", 1, 1, Cause.SLEEP))
                        .relaxedPool(executor("archive", 1, 1, Cause.SLEEP))
                        .busy(Cause.FUTURE, TASK, 28)
                        .busy(Cause.SLEEP, "com.acme.Archive.run", 1)
                        .verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(verdict.where()).isEqualTo("render");
        assertThat(verdict.says()).contains("deadlock");
    }

    @Test
    void poolWithIdleThreadIsNotTheAwaitedPool() {
        var verdict =
                plateau()
                        .pool(executor("render", 8, 8, Cause.FUTURE))
                        .pool(executor("tile", 3, 2, Cause.DOWNSTREAM))
                        .busy(Cause.FUTURE, TASK, 28)
                        .busy(Cause.DOWNSTREAM, "127.0.0.1:9000", 2)
                        .verdict();

        assertThat(verdict.where()).isEqualTo("render");
    }

    /// If each request has a calling and a serving thread in this process, it waits where its
    /// serving thread is.
    @Test
    void lockBehindSelfCallsIsHeldByWaitingCallers() {
        var evidence =
                plateau()
                        .pool(
                                new ThreadSamples.Pool(
                                        "crew",
                                        60,
                                        40,
                                        20,
                                        18,
                                        true,
                                        false,
                                        0,
                                        Map.of(Cause.FUTURE, 20.0, Cause.LOCK, 20.0)))
                        .busy(Cause.FUTURE, "an answer of its own at " + "127.0.0.1:8080", 20)
                        .busy(Cause.LOCK, "a com.acme.Book", 20);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.LOCK);
        assertThat(evidence.verdict().confidence()).isGreaterThan(0.85);
    }
}
