package dev.jdyno.diagnose.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Library;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HotspotsTest {
    private static EvidenceFixture hot() {
        return EvidenceFixture.plateau()
                .rounds(r -> r.cores(1.9))
                .busy(Cause.CPU, "com.acme.Page.render", 2);
    }

    @Test
    void placesNameTheirSampler() {
        assertThat(
                        Hotspots.lines(
                                hot().sign(Sign.CPU_SAMPLES, 412, "jdk.CPUTimeSample, 1 lost")
                                        .build()))
                .extracting(e -> e.says().text())
                .contains("places from 412 samples (jdk.CPUTimeSample, 1 lost)");
        assertThat(Hotspots.lines(hot().build()))
                .as("by dumps")
                .extracting(EvidenceLine::id)
                .containsExactly("hot-1");
    }

    /// The parser belongs to a library. Only the service's code that calls it can change.
    @Test
    void attributesLibraryTimeToCallingServiceCode() {
        var stacks =
                new Profile.Node(
                        "all",
                        10,
                        List.of(
                                new Profile.Node(
                                        "exec",
                                        10,
                                        List.of(
                                                new Profile.Node(
                                                        "com.acme.Page.render",
                                                        10,
                                                        List.of(
                                                                new Profile.Node(
                                                                        "org.lib.Parser.parse",
                                                                        10,
                                                                        List.of())))))));
        var profile =
                new Profile(
                        Profile.Kind.CPU,
                        "jfr",
                        EvidenceFixture.CONCURRENCY,
                        EvidenceFixture.QPS,
                        0.1,
                        0,
                        stacks);
        var patient = new Patient();
        patient.insight =
                InsightVariant.profile(
                        profile, new Library("Lib", List.of("org.lib.Parser.parse")));
        patient.evidence =
                EvidenceFixture.plateau()
                        .rounds(r -> r.cores(1.9))
                        .busy(Cause.CPU, "org.lib.Parser.parse", 1.5)
                        .busy(Cause.CPU, "com.acme.Cart.sum", 0.5);

        assertThat(patient.recommendation(Bottleneck.CPU, "cpu-halve").changes())
                .containsExactly(new Change.CodeAt("com.acme.Page.render", Optional.empty(), 0.75));
    }
}
