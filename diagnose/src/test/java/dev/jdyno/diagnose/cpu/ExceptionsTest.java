package dev.jdyno.diagnose.cpu;

import static dev.jdyno.diagnose.evidence.EvidenceFixture.CONCURRENCY;
import static dev.jdyno.diagnose.evidence.EvidenceFixture.plateau;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.diagnose.evidence.Evidence;
import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight.Thrown;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExceptionsTest {
    private static final String NOT_FOUND = "com.acme.NotFound";
    private static final String FIND = "com.acme.Page.find";
    private static final String FILL = "java.lang.Throwable.fillInStackTrace in " + FIND;

    private static EvidenceFixture burning(String where) {
        return plateau()
                .rounds(r -> r.cores(1.9))
                .busy(Cause.CPU, where, 1.5)
                .busy(Cause.CPU, "com.acme.Page.render", 0.4)
                .busy(Cause.RUN_QUEUE, "run queue", 10);
    }

    private static Recording with(EvidenceFixture service, Thrown... thrown) {
        return service.recording(service.recording().target(), InsightVariant.exceptions(thrown));
    }

    private static Thrown thrown(int concurrency, double share, double perRequest) {
        return new Thrown(concurrency, NOT_FOUND, FIND, 100, share, perRequest * 100, perRequest);
    }

    private static List<String> ids(Recording recording) {
        return Diagnosis.of(Evidence.of(recording, Optional.empty())).evidence().stream()
                .map(EvidenceLine::id)
                .toList();
    }

    @Test
    void listsDominantExceptionsRightAfterCpu() {
        Recording recording = with(burning(FILL), thrown(CONCURRENCY, 0.9, 45));

        var verdict = Diagnosis.of(Evidence.of(recording, Optional.empty()));

        assertThat(verdict.evidence().get(1).says())
                .hasToString(
                        "45.0 exceptions per request (4,500/s) are com.acme.NotFound, created by "
                                + FIND);
    }

    @Test
    void listsExceptionsAfterLargerWork() {
        assertThat(ids(with(burning("com.acme.Page.find"), thrown(CONCURRENCY, 0.9, 1.5))))
                .containsSubsequence("hot-1", "exceptions-1");
    }

    @Test
    void ignoresRareExceptionsAndExceptionsAtOtherLoads() {
        assertThat(ids(with(burning(FILL), thrown(CONCURRENCY, 0.9, 0.8))))
                .noneMatch(id -> id.startsWith("exceptions"));
        assertThat(ids(with(burning(FILL), thrown(CONCURRENCY / 4, 0.9, 45))))
                .noneMatch(id -> id.startsWith("exceptions"));
    }

    @Test
    void omitsPlacesWithFewExceptions() {
        assertThat(
                        ids(
                                with(
                                        burning(FILL),
                                        thrown(CONCURRENCY, 0.95, 45),
                                        thrown(CONCURRENCY, 0.05, 2))))
                .contains("exceptions-1")
                .doesNotContain("exceptions-2");
    }

    private static Optional<Recommendation> recommendation(Recording recording) {
        Evidence evidence = Evidence.of(recording, Optional.empty());
        return Recommendations.of(
                        Diagnosis.of(evidence),
                        evidence,
                        Optional.empty(),
                        Map.of(),
                        recording,
                        Recommendations.Aim.QPS)
                .stream()
                .filter(p -> p.id().equals("exceptions-cheap"))
                .findFirst();
    }

    @Test
    void predictsAtMostTheExceptionsShareOfCpu() {
        Recommendation recommendation =
                recommendation(with(burning(FILL), thrown(CONCURRENCY, 0.9, 45))).orElseThrow();

        assertThat(recommendation.says()).contains(NOT_FOUND, FIND, "90 %");
        // 1.5 of 1.9 computing threads create exceptions, which allows a factor of 4.75. The CPU of
        // the load generator reduces it.
        assertThat(recommendation.predictedQpsRatio().orElseThrow()).isBetween(4.4, 4.5);
        assertThat(recommendation.atMost()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"CPU", "CPU_QUOTA", "CPU_NEIGHBOUR"})
    void recommendsFewerExceptionsForAnyCpuShortage(Bottleneck name) {
        var patient = new Patient();
        patient.evidence = burning(FILL);

        assertThat(patient.recommendations(name)).anyMatch(p -> p.id().equals("exceptions-cheap"));
    }

    @Test
    void recommendsNothingForCheapExceptions() {
        assertThat(recommendation(with(burning(FIND), thrown(CONCURRENCY, 0.9, 45)))).isEmpty();
    }

    @Test
    void namesNoClassWithoutExceptionWindow() {
        assertThat(recommendation(with(burning(FILL))).orElseThrow().says())
                .doesNotContain(NOT_FOUND);
    }
}
