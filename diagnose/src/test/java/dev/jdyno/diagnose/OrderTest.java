package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Recommendations.Aim;
import dev.jdyno.diagnose.evidence.Gain;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.diagnose.evidence.RecommendationList;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.ThreadSamples;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recommendations are ordered by cause, deepest first, then by the lower end of the gain, then by
/// the gain.
class OrderTest {
    /// The model predicts this throughput after the change. The present one is 100/s.
    private static Patient modelled(StandardChange change, double qpsAfter) {
        var patient = new Patient();
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
                Map.of(change, new WhatIf(change, qpsAfter, 20_000 / qpsAfter, 20, "exact MVA"));
        return patient;
    }

    private static int at(String id, List<Recommendation> all) {
        return all.stream().map(Recommendation::id).toList().indexOf(id);
    }

    /// In the model, half the hold time of a lock gives 40 % more throughput. Splitting the lock
    /// gives between nothing and 90 %, because the next limit is unknown.
    @Test
    void aGainThatIsSureGoesBeforeALargerBound() {
        List<Recommendation> all =
                modelled(StandardChange.LOCK, 140).recommendations(Bottleneck.LOCK);

        assertThat(all.get(at("lock-split", all)).predictedQpsRatio().orElseThrow())
                .isGreaterThan(1.5);
        assertThat(at("lock-shorter", all)).isLessThan(at("lock-split", all));
    }

    /// Of two bounds, the larger one comes first, against the order of the rule and of the names.
    @ParameterizedTest
    @CsvSource({"QPS", "RT"})
    void theLargerOfTwoBoundsIsFirst(Aim aim) {
        var patient = new Patient();
        patient.aim = aim;
        List<Recommendation> all = patient.recommendations(Bottleneck.LOCK);

        assertThat(all).allMatch(Recommendation::atMost);
        assertThat(all.stream().map(r -> r.expected().orElseThrow().qps()).toList())
                .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    /// Twice the connections give 30 % more with certainty. A sleep in the service's code holds
    /// them and so fills the pool. Its removal comes first, with a gain between nothing and ten
    /// times.
    @ParameterizedTest
    @CsvSource({"130, pool-no-sleep", "190, pool-no-sleep"})
    void codeThatFillsAQueueGoesBeforeALargerQueue(double twice, String first) {
        Patient patient = modelled(StandardChange.POOL, twice);
        patient.where = "HikariCP in com.acme.Shop.price";
        patient.evidence =
                Patient.half()
                        .held(
                                Cause.POOL,
                                patient.where,
                                15,
                                "probably sleep: sleep in com.acme.Shop.price")
                        .busy(Cause.SLEEP, "sleep in com.acme.Shop.price", 5);

        List<Recommendation> all = patient.recommendations(Bottleneck.CONNECTION_POOL);

        assertThat(all.getFirst().id()).isEqualTo(first);
        assertThat(at("pool-double", all)).isPositive();
    }

    /// The service cannot shorten the time of another service, although half of that time has a
    /// certain gain.
    @Test
    void aWaitElsewhereFollowsTheLargerPool() {
        Patient patient = modelled(StandardChange.DOWNSTREAM, 150);
        patient.where = "exec";
        patient.evidence
                .rounds(r -> r.cores(0.2))
                .pool(
                        new ThreadSamples.Pool(
                                "exec",
                                10,
                                10,
                                0,
                                0,
                                true,
                                false,
                                0,
                                Map.of(Cause.DOWNSTREAM, 10.0)));

        List<Recommendation> all = patient.recommendations(Bottleneck.THREAD_POOL);

        assertThat(at("threads", all)).isNotNegative().isLessThan(at("wait-shorter", all));
    }

    /// Half the CPU time is only a goal. Twice the cores come after it at any gain, because this
    /// machine does not have them.
    @Test
    void coresThatTheMachineDoesNotHaveComeLast() {
        List<Recommendation> all =
                modelled(StandardChange.CORES, 200).recommendations(Bottleneck.CPU);

        assertThat(at("cpu-halve", all)).isNotNegative().isLessThan(at("cores-double", all));
    }

    private static RecommendationList edit(
            RecommendationList list, KnownChange change, double qps, double rt) {
        return list.byHand(change, change.id(), "", Gain.of(qps, rt, false, "test"));
    }

    private static List<String> sorted(RecommendationList all, Patient patient, Aim aim) {
        return Order.sorted(all.list(), patient.situation(Bottleneck.CPU), aim).stream()
                .map(Recommendation::id)
                .toList();
    }

    /// Fewer requests in flight give 150/s instead of 100/s at the highest load. The 150/s must not
    /// be compared with the 150/s of the reported load.
    @Test
    void figuresOfAnotherLoadAreComparedWithThatLoad() {
        var patient = new Patient();
        patient.evidence = patient.evidence.gaveMore(150);
        var list = new RecommendationList();
        edit(list, KnownChange.HEAP_DOUBLE, 1.2, 1 / 1.2);
        edit(list, KnownChange.INSIDE_FEWER, 1.5, 1 / 1.5)
                .expecting(
                        new Expected(
                                150, 40 / 150.0 * 1000, 40, Optional.of(new Interval(147, 153))));

        assertThat(sorted(list, patient, Aim.QPS))
                .containsExactly("inside-fewer", KnownChange.HEAP_DOUBLE.id());
    }

    /// A setting precedes a goal without an edit if its gain in the user's figure is at least half
    /// as large. Here it has half of the gain in throughput and a tenth of that in response time,
    /// or the reverse.
    @ParameterizedTest
    @CsvSource({
        "QPS, 1.5, 0.91, compiler-on",
        "RT, 1.5, 0.91, cpu-halve",
        "QPS, 1.1, 0.67, cpu-halve",
        "RT, 1.1, 0.67, compiler-on"
    })
    void aSettingPrecedesATargetByTheGainThatTheUserWants(
            Aim aim, double qps, double rt, String first) {
        var list = new RecommendationList();
        edit(list, KnownChange.CPU_HALVE, 2, 0.5);
        list.setting(
                KnownChange.COMPILER_ON,
                "setting",
                "",
                Gain.of(qps, rt, false, "test"),
                new Change.JvmFlag("-X", "1"));

        assertThat(sorted(list, new Patient(), aim).getFirst()).isEqualTo(first);
    }

    /// A setting without a gain does not take the rank of a target without one.
    @Test
    void aChangeWithoutAGainPrecedesNoOther() {
        var list = new RecommendationList();
        edit(list, KnownChange.CPU_HALVE, 1, 1);
        list.setting(
                KnownChange.HEAP_DOUBLE,
                "setting",
                "",
                Gain.unknown("test"),
                new Change.JvmFlag("-Xmx", "1g"));

        assertThat(sorted(list, new Patient(), Aim.QPS))
                .containsExactly("cpu-halve", KnownChange.HEAP_DOUBLE.id());
    }
}
