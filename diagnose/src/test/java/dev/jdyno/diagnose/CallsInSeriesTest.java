package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.Recommendations.Aim;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.thread.Breakdown;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.PlaceText;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Recommendations derived from the parts of a single request's time.
class CallsInSeriesTest {
    private static Breakdown.Spot spot(Cause cause, String where, double ms) {
        return new Breakdown.Spot(cause, PlaceText.place(cause, where), ms);
    }

    @Test
    void parallelCallsTakeLongestTimeWithoutMoreThroughput() {
        var patient = new Patient();
        var breakdown =
                new Breakdown(
                        Map.of(Cause.DOWNSTREAM, 175.0, Cause.CPU, 25.0),
                        List.of(
                                spot(Cause.DOWNSTREAM, "goods:80", 100),
                                spot(Cause.DOWNSTREAM, "mall:80", 50),
                                spot(Cause.DOWNSTREAM, "product:80", 25)),
                        0);
        patient.evidence = EvidenceFixture.plateau().relaxedRound(r -> r.anatomy(breakdown));
        double rt = patient.evidence.build().rounds().getFirst().rtMs().mean();

        Recommendation recommendation =
                patient.recommendation(Bottleneck.DOWNSTREAM_SERIAL, "calls-parallel");

        assertThat(recommendation.predictedRtRatio().orElseThrow())
                .isCloseTo(Math.max(0.05, 1 - 75 / rt), within(1e-9));
        assertThat(recommendation.predictedQpsRatio()).contains(1.0);
        assertThat(recommendation.change().text())
                .isEqualTo("parallel:goods:80,mall:80,product:80");
    }

    /// Two of three lines take three fifths of the 60 ms.
    @Test
    void parallelCallsOfOneServiceTakeTimeOfLongestLine() {
        var patient = new Patient();
        var breakdown =
                new Breakdown(
                        Map.of(Cause.DOWNSTREAM, 60.0, Cause.CPU, 25.0),
                        List.of(spot(Cause.DOWNSTREAM, "goods:80", 60)),
                        0);
        patient.evidence =
                EvidenceFixture.plateau()
                        .relaxedRound(r -> r.anatomy(breakdown))
                        .callsAt("goods:80", 8, 6, 6);
        double rt = patient.evidence.build().rounds().getFirst().rtMs().mean();

        Recommendation recommendation =
                patient.recommendation(Bottleneck.DOWNSTREAM_SERIAL, "calls-parallel");

        assertThat(recommendation.predictedRtRatio().orElseThrow())
                .isCloseTo(Math.max(0.05, 1 - 36 / rt), within(1e-9));
        assertThat(recommendation.says())
                .hasToString(
                        "Make the 3 calls of Page.get (Page.java:12, 13, 14) at the same time");
        assertThat(recommendation.change().text()).isEmpty();
    }

    @Test
    void namesLongestPartsOfSingleRequestForResponseTimeGoal() {
        var patient = new Patient();
        patient.aim = Aim.RT;
        var breakdown =
                new Breakdown(
                        Map.of(Cause.DOWNSTREAM, 40.0, Cause.CPU, 10.0),
                        List.of(
                                spot(Cause.DOWNSTREAM, "goods:80", 40),
                                spot(Cause.CPU, "Page.render", 10)),
                        0);
        patient.evidence = Patient.half().relaxedRound(r -> r.anatomy(breakdown));
        double rt = patient.evidence.build().rounds().getFirst().rtMs().mean();

        Recommendation recommendation = patient.recommendation(Bottleneck.CPU, "rt-downstream");

        assertThat(recommendation.predictedRtRatio().orElseThrow())
                .isCloseTo(1 - 20 / rt, within(1e-9));
        assertThat(recommendation.predictedQpsRatio()).isEmpty();
        assertThat(new Patient().recommendations(Bottleneck.CPU))
                .noneMatch(p -> p.id().startsWith("rt-"));
    }
}
