package dev.jdyno.diagnose.evidence;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.CONCURRENCY;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Insight.Pinned;
import dev.jdyno.measure.Insight.Pinned.By;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What pins virtual threads, in the verdict and in its recommendations.
class PinningTest {
    private static final String SITE = "java.lang.Thread.sleep in com.acme.Session.refresh";

    private static EvidenceFixture service() {
        return plateau()
                .sign(Sign.VIRTUAL_THREADS, 60)
                .sign(Sign.PINNED_THREADS, 2)
                .busy(Cause.SLEEP, "sleep in com.acme.Session.refresh", 2);
    }

    private static Pinned pinned(By by, double threads) {
        return new Pinned(CONCURRENCY, SITE, by, "as the JVM tells it", 100, threads, 1);
    }

    private static Insight insight(Pinned... pinned) {
        return InsightVariant.pinned(pinned);
    }

    private static Verdict verdict(Pinned... pinned) {
        EvidenceFixture service = service();
        return Diagnosis.of(
                Evidence.of(
                        service.recording(service.recording().target(), insight(pinned)),
                        Optional.empty()));
    }

    private static List<String> ids(Verdict verdict) {
        return verdict.evidence().stream().map(EvidenceLine::id).toList();
    }

    @Test
    void verdictNamesMainCauseAndPlaceOfPinning() {
        Verdict verdict = verdict(pinned(By.NATIVE_FRAME, 1.75));

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.VIRTUAL_THREAD_PINNING);
        assertThat(verdict.says())
                .endsWith("What pins most: as the JVM tells it, at " + SITE + ".");
        assertThat(verdict.evidence().get(1).says())
                .hasToString(
                        "1.75 thread-seconds a second pinned at " + SITE + ": as the JVM tells it");
        assertThat(verdict.evidence().get(1).value()).isEqualTo(1.75);
    }

    @Test
    void omitsPlacesThatRarelyPin() {
        assertThat(ids(verdict(pinned(By.NATIVE_FRAME, 1.75), pinned(By.CLASS_INITIALISER, 0.1))))
                .contains("pinned-1")
                .doesNotContain("pinned-2");
    }

    @Test
    void givesVerdictWithoutRecording() {
        Verdict verdict = verdict();

        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.VIRTUAL_THREAD_PINNING);
        assertThat(verdict.says()).doesNotContain("What pins most");
        assertThat(ids(verdict)).noneMatch(id -> id.startsWith("pinned"));
    }

    private static List<Recommendation> recommendations(String jdk, Pinned... pinned) {
        var patient = new Patient();
        patient.jdk = jdk;
        patient.evidence = service();
        patient.insight = insight(pinned);
        return patient.recommendations(Bottleneck.VIRTUAL_THREAD_PINNING);
    }

    @ParameterizedTest
    @CsvSource({
        "21.0.8, MONITOR, pin-lock",
        "21.0.8, NATIVE_FRAME, pin-native",
        "21.0.8, CLASS_INITIALISER, pin-init",
        "21.0.8, UNKNOWN, pin-lock",
        "25.0.3, NATIVE_FRAME, pin-native",
        "25.0.3, CLASS_INITIALISER, pin-init"
    })
    void recommendsFixOfPinningCause(String jdk, By by, String id) {
        List<Recommendation> recommendations = recommendations(jdk, pinned(by, 1.75));

        assertThat(recommendations)
                .extracting(Recommendation::id)
                .containsOnly(id, "carriers-double");
    }

    @Test
    void recommendationNamesPlaceOfPinning() {
        assertThat(recommendations("25.0.3", pinned(By.NATIVE_FRAME, 1.75)))
                .anySatisfy(c -> assertThat(c.says()).contains("(" + SITE + ")"));
    }

    @Test
    void recommendsFixForEachLargeCauseOfPinning() {
        assertThat(
                        recommendations(
                                "21.0.8",
                                pinned(By.MONITOR, 1.2),
                                pinned(By.CLASS_INITIALISER, 0.5),
                                pinned(By.NATIVE_FRAME, 0.01)))
                .extracting(Recommendation::id)
                .contains("pin-lock", "pin-init")
                .doesNotContain("pin-native");
    }
}
