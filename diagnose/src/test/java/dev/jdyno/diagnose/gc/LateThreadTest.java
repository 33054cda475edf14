package dev.jdyno.diagnose.gc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Recommendations against a thread that is slow to reach a safepoint.
class LateThreadTest {
    private static Patient late(String collector, String... flags) {
        var patient = new Patient();
        patient.lines =
                List.of(
                        Patient.figure("safepoint-stopped", 0.01),
                        Patient.figure("safepoint-sync", 0.9));
        patient.where = "time to safepoint";
        patient.collector = collector;
        patient.flags = List.of(flags);
        return patient;
    }

    private static List<String> ids(Patient patient) {
        return patient.recommendations(Bottleneck.SAFEPOINT).stream()
                .map(Recommendation::id)
                .toList();
    }

    private static Patient at(Patient patient, String method) {
        patient.evidence.sign(Sign.SAFEPOINT_SYNC_SHARE, 0.04, method);
        return patient;
    }

    @Test
    void recommendsEditOfKnownMethod() {
        Patient patient = at(late("G1"), "com.acme.Prices.sum");

        assertThat(ids(patient)).contains("stop-in-pieces").doesNotContain("late-thread");
        assertThat(patient.recommendation(Bottleneck.SAFEPOINT, "stop-in-pieces"))
                .satisfies(r -> {
                    assertThat(r.says().text()).contains("com.acme.Prices.sum");
                    assertThat(r.changes()).containsExactly(new Change.Code());
                    assertThat(r.predictedQpsRatio().orElseThrow()).isGreaterThan(2);
                });
    }

    @Test
    void recommendsNamingUnknownLateThread() {
        assertThat(ids(late("G1"))).containsExactly("late-thread");
        assertThat(late("G1").recommendation(Bottleneck.SAFEPOINT, "late-thread").tryable())
                .isFalse();
    }

    @Test
    void recommendsRemovalOfFlagThatRemovesPolls() {
        assertThat(
                        late("G1", "-Xmx1g", "-XX:-UseCountedLoopSafepoints")
                                .recommendation(Bottleneck.SAFEPOINT, "loop-polls")
                                .changes())
                .containsExactly(new Change.WithoutJvmFlag("-XX:-UseCountedLoopSafepoints"));
    }

    @Test
    void advisesLoopPollsForCollectorsWithoutLoopPolls() {
        assertThat(late("Parallel").recommendation(Bottleneck.SAFEPOINT, "loop-polls").changes())
                .containsExactly(new Change.JvmFlag("-XX:+UseCountedLoopSafepoints"));
        assertThat(ids(late("Serial"))).contains("loop-polls");
        assertThat(ids(late("ZGC"))).doesNotContain("loop-polls");
        assertThat(ids(late("Serial", "-XX:+UseCountedLoopSafepoints")))
                .doesNotContain("loop-polls");
    }
}
