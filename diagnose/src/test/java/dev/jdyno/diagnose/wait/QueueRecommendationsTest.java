package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.WhatIfChange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The part of a response time that remains if only a queue is removed.
class QueueRecommendationsTest {
    /// Two carrier threads, 43 ms in the database, and 296 ms a request with 16 in flight. More
    /// carriers shorten no query.
    @Test
    void responseTimeStaysAboveOwnWaitsOfRequest() {
        var patient = new Patient();
        var breakdown =
                new Breakdown(
                        Map.of(Cause.DATABASE, 43.0, Cause.LOCK, 150.0, Cause.CPU, 2.0),
                        List.of(),
                        5);
        patient.evidence = Patient.half().rounds(r -> r.cores(0.1).anatomy(breakdown));
        double rt = patient.evidence.build().plateau().rtMs().mean();

        Recommendation recommendation =
                patient.recommendation(Bottleneck.VIRTUAL_THREAD_PINNING, "pin-native");

        assertThat(recommendation.predictedRtRatio().orElseThrow())
                .isCloseTo(45 / rt, within(1e-9));
        assertThat(recommendation.predictedQpsRatio().orElseThrow()).isGreaterThan(10);
        assertThat(recommendation.formula())
                .endsWith("of the 200.0 ms a request takes 45.0 by itself");
        // a change that halves the wait itself is not bounded by that wait
        assertThat(patient.recommendation(Bottleneck.DATABASE, "queries-fewer").formula())
                .doesNotContain("by itself");
    }

    /// The sleep of a rate limiter is what its callers wait for.
    @Test
    void sleepOfLimiterIsNotPartOfRequest() {
        var patient = new Patient();
        var breakdown = new Breakdown(Map.of(Cause.SLEEP, 190.0, Cause.CPU, 2.0), List.of(), 5);
        patient.evidence = Patient.half().rounds(r -> r.cores(0.1).anatomy(breakdown));

        assertThat(
                        patient.recommendation(Bottleneck.RATE_LIMIT, "limit-double")
                                .predictedRtRatio()
                                .orElseThrow())
                .isCloseTo(0.5, within(1e-9));
    }

    /// Most threads wait for six threads of the same service, which answer at its own port. Those
    /// six wait for another service.
    @Test
    void advisesOnTheWaitsOfTheThreadsOfTheSmallPool() {
        var patient = new Patient();
        patient.where = "rpc";
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.2))
                        .busy(Cause.FUTURE, "an answer of its own at " + "127.0.0.1:9001", 14)
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 6)
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
                                        Map.of(Cause.DOWNSTREAM, 6.0)));

        Recommendation shorter = patient.recommendation(Bottleneck.THREAD_POOL, "wait-shorter");
        assertThat(shorter.forWhatIf())
                .contains(new WhatIfChange.Scale(Cause.DOWNSTREAM.key(), 0.5));
        assertThat(shorter.says()).contains("downstream 10.0.0.7:80");
    }

    /// Earlier, a plain servlet got the recommendation of a Spring property.
    @Test
    void namesSettingsOnlyOfObservedFrameworks() {
        var plain = new Patient();
        plain.where = "pool-1-thread";
        var spring = new Patient();
        spring.where = plain.where;
        spring.insight = seen("org.springframework.web.servlet.DispatcherServlet.doDispatch");
        var vertx = new Patient();
        vertx.insight = seen("io.vertx.core.impl.ContextImpl.emit");

        String property = "spring.task.execution.pool.core-size";
        assertThat(spring.recommendation(Bottleneck.POOL_STARVATION, "executor-larger").how())
                .contains(property);
        assertThat(plain.recommendation(Bottleneck.POOL_STARVATION, "executor-larger").how())
                .doesNotContain(property);
        assertThat(vertx.recommendation(Bottleneck.EVENT_LOOP, "loop-offload").how())
                .doesNotContain("Netty");
    }

    /// Three threads of `tile` at 100/s use a tenth of the cores, with 20 in flight for 200 ms. CPU
    /// allows ten times the throughput, and at a quarter of the load a response takes 100 ms. So 20
    /// in flight reach at most twice the throughput. That needs 6 threads and a reserve of 2 · √6.
    @Test
    void sizesExecutorByNextLimit() {
        var patient = new Patient();
        patient.where = "tile";
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.2))
                        .pool(executor("tile", 3, Cause.DOWNSTREAM))
                        .busy(Cause.FUTURE, "result of another task", 20)
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 3);
        double rt = patient.evidence.build().plateau().rtMs().mean();
        double alone = patient.evidence.build().rounds().getFirst().rtMs().mean();

        Recommendation larger =
                patient.recommendation(Bottleneck.POOL_STARVATION, "executor-larger");

        assertThat(larger.changes())
                .containsExactly(new Change.PoolSize("tile", new Change.Amount.Exactly("11")));
        // at any load, 11 threads serve 11 / 3 times as much as 3 threads
        assertThat(larger.predictedQpsRatio().orElseThrow()).isCloseTo(11 / 3.0, within(1e-9));
        // service and load generator use 0.25 of 2 cores
        assertThat(larger.how()).contains("up to 800/s through");
        assertThat(larger.predictedRtRatio().orElseThrow()).isCloseTo(alone / rt, within(1e-9));
        assertThat(larger.atMost()).isTrue();
    }

    /// A request takes 40 ms on one of the eight threads of `render`. They allow twice the
    /// throughput, and so the threads of `tile` need to allow the same.
    @Test
    void aPoolThatWaitsForTheExecutorIsItsNextLimit() {
        var patient = new Patient();
        patient.where = "tile";
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.02))
                        .pool(executor("render", 8, Cause.FUTURE))
                        .pool(executor("tile", 3, Cause.DOWNSTREAM))
                        .relaxedPool(executor("render", 2, Cause.FUTURE))
                        .busy(Cause.FUTURE, "result of another task", 28)
                        .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 3);

        assertThat(patient.recommendation(Bottleneck.POOL_STARVATION, "executor-larger").changes())
                .containsExactly(new Change.PoolSize("tile", new Change.Amount.Exactly("6")));
    }

    private static ThreadSamples.Pool executor(String name, double busy, Cause cause) {
        return new ThreadSamples.Pool(name, busy, busy, 0, 0, false, false, 0, Map.of(cause, busy));
    }

    private static Insight seen(String frame) {
        var all = new Profile.Node("", 10, List.of(new Profile.Node(frame, 10, List.of())));
        return new Insight(
                List.of(new Profile(Profile.Kind.WALL, "dumps", 20, 100, 0.1, 0, all)),
                List.of(),
                List.of(),
                List.of());
    }
}
