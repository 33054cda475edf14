package dev.jdyno.diagnose;

import static dev.jdyno.diagnose.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Census;
import dev.jdyno.measure.Signals.Sign;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A pool whose threads wait for tasks: in its own queue, or for what others do.
class PoolStarvationRuleTest {
    private static final String TASK = "result of another task";

    /// Eight threads that handle requests, each waiting for a task.
    private static Census.Pool allWait() {
        return new Census.Pool("crew", 8, 8, 0, 0, true, false, 0, Map.of(Cause.FUTURE, 8.0));
    }

    @Test
    void aPoolWhoseThreadsWaitForTasksInItsOwnQueueStarvesItself() {
        // eight handlers on the executor that they submit to, with timeouts: 385/s at 5 in flight,
        // 40/s at 20
        var evidence =
                plateau()
                        .gaveMore(4 * EvidenceFixture.QPS)
                        .pool(allWait())
                        .busy(Cause.FUTURE, TASK, 8);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.POOL_STARVATION);
        assertThat(evidence.verdict().says()).contains("deadlock");
    }

    @Test
    void aPoolThatStandsStillWaitingForItsOwnTasksIsStarved() {
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
    void aPoolWhoseThreadsWaitForAnotherMachinesAnswersIsTooSmallAndNotStarved() {
        // answers come on an event loop's thread: no executor is at work, throughput stays
        var evidence = plateau().pool(allWait()).busy(Cause.FUTURE, TASK, 8);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
    }

    /// Eleven handlers that wait 140 ms at most for parts queued in their own executor: 78/s at any
    /// load.
    @Test
    void aPoolForWhoseTasksNobodyElseWorksStarvesItselfThoughThroughputStays() {
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
    void aPoolWhoseThreadsWaitForCallsUnderWayIsTooSmallAndNotStarved() {
        // one connection carries all of them (HTTP/2)
        var evidence =
                plateau()
                        .pool(allWait())
                        .busy(Cause.FUTURE, TASK, 8)
                        .calls("127.0.0.1:9000", 1, 1)
                        .sign(Sign.REQUESTS_INSIDE, 20);

        assertThat(evidence.verdict().bottleneck()).isEqualTo(Bottleneck.THREAD_POOL);
    }

    @Test
    void aPoolWhoseThreadsWaitForTheClockIsTooSmallAndNotStarved() {
        var evidence =
                plateau()
                        .pool(allWait())
                        .pool(
                                new Census.Pool(
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
}
