package dev.jdyno.diagnose.gain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Change.Amount;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The new size of a pool and its gain belong to one load. 20 in flight at 100/s take 200 ms, but
/// 100 ms at a quarter of the load. So 20 in flight reach 200/s if the pool has enough places.
class NeededPlacesTest {
    private static final String POOL = "exec";

    private static Patient full(double threads, Cause cause) {
        var patient = new Patient();
        patient.where = POOL;
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.17))
                        .pool(
                                new ThreadSamples.Pool(
                                        POOL,
                                        threads,
                                        threads,
                                        0,
                                        0,
                                        true,
                                        false,
                                        0,
                                        Map.of(cause, threads)))
                        .busy(cause, "10.0.0.7:80", threads);
        return patient;
    }

    /// A service with a full pool, and the number of threads and throughput that the CPU allows at
    /// any load.
    private static Patient allowed(double threads, double concurrency, double qps) {
        Patient patient = full(threads, Cause.DOWNSTREAM);
        patient.knee =
                Optional.of(
                        new Knee(
                                20,
                                new Interval(19, 21),
                                100,
                                200,
                                "crossing",
                                60,
                                Optional.of(
                                        new Knee.Predicted(concurrency, qps, false, "F1, F2"))));
        return patient;
    }

    private static String size(Recommendation r) {
        return r.changes().stream()
                .filter(Change.PoolSize.class::isInstance)
                .map(c -> ((Change.PoolSize) c).to())
                .map(to -> to instanceof Amount.Exactly(String n) ? n : "another")
                .findFirst()
                .orElseThrow();
    }

    private static String newValue(Recommendation r) {
        return r.settings().getFirst().to() instanceof Amount.Exactly(String n) ? n : "another";
    }

    @ParameterizedTest
    @CsvSource({
        // 10 threads busy on average, and a reserve of 2 · √10
        "5, 76, 1164, 17",
        // 16 threads and a reserve of 8 exceed the 20 requests in flight
        "8, 76, 1164, 20",
        // the CPU allows fewer threads than that
        "5, 9, 170, 9"
    })
    void recommendsTheThreadsThatThePredictedLoadNeeds(
            double threads, double byCpu, double qps, String size) {
        Recommendation r =
                allowed(threads, byCpu, qps).recommendation(Bottleneck.THREAD_POOL, "threads");

        assertThat(size(r)).isEqualTo(size).isEqualTo(newValue(r));
        assertThat(r.expected().orElseThrow().qps()).isCloseTo(Math.min(200, qps), within(1e-6));
        assertThat(r.expected().orElseThrow().atConcurrency()).isEqualTo(20);
    }

    /// The machine allows 9.09 times the throughput: 909 requests/s of 100 ms, so 91 in flight and
    /// 45.5 busy threads.
    @Test
    void aLargerSizeStatesItsGainAndItsLoad() {
        Recommendation r = allowed(5, 76, 1164).recommendation(Bottleneck.THREAD_POOL, "threads");

        assertThat(r.how()).contains("59 let up to 909/s through", "91 in flight");
        assertThat(r.predictedQpsRatio().orElseThrow())
                .as("17 threads serve no more than 17 of 5 times as much at any load")
                .isCloseTo(17.0 / 5, within(1e-9));
    }

    @Test
    void sizeThatTheCpuAllowsStatesNoOtherLoad() {
        Recommendation r = allowed(5, 9, 170).recommendation(Bottleneck.THREAD_POOL, "threads");

        assertThat(r.how()).doesNotContain("in flight");
        assertThat(r.predictedQpsRatio().orElseThrow()).isCloseTo(1.7, within(1e-9));
    }

    /// A request may run several tasks, so the number of tasks may exceed the requests in flight.
    @Test
    void anExecutorIsSizedForTheLoadToo() {
        Patient patient = full(3, Cause.DOWNSTREAM);
        patient.evidence.busy(Cause.FUTURE, "result of another task", 20);

        Recommendation r = patient.recommendation(Bottleneck.POOL_STARVATION, "executor-larger");

        assertThat(size(r)).as("6 on average, and 2 · √6").isEqualTo("11");
        assertThat(r.expected().orElseThrow().qps()).isCloseTo(200, within(1e-6));
    }

    /// Twice 16 connections are 32, but 20 requests hold at most 20.
    @ParameterizedTest
    @CsvSource({"16, true", "4, false"})
    void aDoubledPoolStatesHowManyPlacesTheLoadUses(double lent, boolean fewer) {
        var patient = new Patient();
        patient.where = "HikariCP in com.acme.Shop.price";
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(0.17))
                        .held(
                                Cause.POOL,
                                patient.where,
                                20 - lent,
                                "probably database: H2 10.0.0.8:9092 in com.acme.Shop.price")
                        .busy(Cause.DATABASE, "H2 10.0.0.8:9092", lent);

        Recommendation r = patient.recommendation(Bottleneck.CONNECTION_POOL, "pool-double");

        assertThat(r.how().startsWith("20 are enough for 20 in flight")).isEqualTo(fewer);
    }

    /// The model includes the cores of the machine, so its answer bounds both the places and the
    /// gain. The 0.3 free cores limit neither.
    @Test
    void theModelsAnswerDecidesOnPlacesAsOnTheGain() {
        Patient patient = full(9, Cause.DOWNSTREAM);
        patient.evidence.rounds(r -> r.cores(1.7));
        patient.knee =
                Optional.of(
                        new Knee(
                                20,
                                new Interval(19, 21),
                                100,
                                200,
                                "crossing",
                                60,
                                Optional.empty()));
        patient.whatIf =
                Map.of(
                        StandardChange.THREADS,
                        new WhatIf(StandardChange.THREADS, 150, 133, 20, "exact MVA"));
        Recommendation r = patient.recommendation(Bottleneck.THREAD_POOL, "threads");

        NeededPlaces needed =
                NeededPlaces.of(
                        patient.situation(Bottleneck.THREAD_POOL),
                        9,
                        18,
                        Gain.of(1.5, 1 / 1.5, false, "exact MVA"),
                        StandardChange.THREADS.asked(),
                        100,
                        true);

        assertThat(r.expected().orElseThrow().qps()).isCloseTo(150, within(1e-6));
        assertThat(needed.ratio()).isCloseTo(1.5, within(1e-6));
    }
}
