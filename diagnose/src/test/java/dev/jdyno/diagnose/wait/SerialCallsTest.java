package dev.jdyno.diagnose.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.thread.SourceLine;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Expected;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Serial calls that limit nothing, but take most of the response time at a low load.
class SerialCallsTest {
    private static final String LINE = "Page.get (Page.java:12)";

    /// With 5 in flight, a request takes 100 ms, 90 of them in calls. With 20 in flight, the
    /// service has a bottleneck.
    private static Patient patient(double callsMs, double perRequest) {
        var patient = new Patient();
        var breakdown =
                new Breakdown(
                        Map.of(Cause.DOWNSTREAM, callsMs, Cause.CPU, 2.0),
                        List.of(
                                new Breakdown.Spot(
                                        Cause.DOWNSTREAM,
                                        PlaceText.place(Cause.DOWNSTREAM, "goods:80"),
                                        callsMs)),
                        0);
        patient.evidence =
                EvidenceFixture.plateau()
                        .relaxedRound(r -> r.cores(0.2).anatomy(breakdown))
                        .relaxed(Cause.DOWNSTREAM, "goods:80", 5 * callsMs / 100)
                        .rounds(r -> r.cores(0.4))
                        .busy(Cause.CPU, "Page.render", 10);
        patient.insight =
                InsightVariant.sites(
                        List.of(
                                new Insight.CallRate(
                                        5,
                                        Cause.DOWNSTREAM,
                                        new SourceLine(
                                                "com.acme.Page.get",
                                                Optional.of("Page.java"),
                                                12,
                                                100),
                                        perRequest,
                                        callsMs / perRequest)),
                        List.of());
        return patient;
    }

    private static List<Recommendation> parallel(Patient patient) {
        return patient.recommendations(Bottleneck.CPU).stream()
                .filter(r -> r.change().name() == KnownChange.CALLS_PARALLEL)
                .toList();
    }

    @Test
    void namesSixSerialCallsForResponseTime() {
        Recommendation calls = parallel(patient(90, 6)).getFirst();

        assertThat(calls.isAboutResponseTime()).isTrue();
        assertThat(calls.predictedQpsRatio()).isEmpty();
        assertThat(calls.predictedRtRatio().orElseThrow()).isCloseTo(0.25, within(1e-9));
        assertThat(calls.says()).contains("6 calls").contains(LINE);
        Expected expected = calls.expected().orElseThrow();
        assertThat(expected.atConcurrency()).isEqualTo(5);
        assertThat(expected.rtMs()).isCloseTo(25, within(1e-6));
    }

    @Test
    void singleCallIsNotSerial() {
        assertThat(parallel(patient(90, 1))).isEmpty();
    }

    @Test
    void callsThatAreLessThanHalfOfTheTimeAreNotNamed() {
        assertThat(parallel(patient(40, 6))).isEmpty();
    }

    /// Worker threads make the calls, and the request waits for them. The workers may run in
    /// parallel.
    @Test
    void callsOfTasksAreNotNamed() {
        Patient patient = patient(90, 6);
        patient.evidence.relaxed(Cause.FUTURE, "task", 4);

        assertThat(parallel(patient)).isEmpty();
    }
}
