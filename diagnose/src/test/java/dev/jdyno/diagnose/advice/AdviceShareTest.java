package dev.jdyno.diagnose.advice;

import static dev.jdyno.diagnose.advice.ApiAdviceTest.PAGE;
import static dev.jdyno.diagnose.advice.ApiAdviceTest.known;
import static dev.jdyno.diagnose.advice.ApiAdviceTest.one;
import static dev.jdyno.diagnose.advice.ApiAdviceTest.profile;
import static dev.jdyno.diagnose.advice.ApiAdviceTest.with;
import static dev.jdyno.diagnose.evidence.Lines.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.EvidenceFixture;
import dev.jdyno.diagnose.evidence.Figure;
import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.InsightVariant;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Bottleneck;
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
import org.junit.jupiter.params.provider.ValueSource;

/// Which stacks an entry of the knowledge file counts, and what gain it predicts from their share.
class AdviceShareTest {
    /// In the model, half the CPU time gives 10 % more throughput. So 0.7 of the CPU time gives at
    /// most 1 / (1 - 1.4 · (1 - 1 / 1.1)), not 1 / (1 - 0.7).
    @Test
    void gainOfLargeCpuShareIsLimitedByModel() {
        Patient patient =
                with(
                        profile(
                                Profile.Kind.CPU,
                                70,
                                "exec",
                                List.of("java.util.regex.Pattern.compile")));
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
                        StandardChange.CPU,
                        new WhatIf(StandardChange.CPU, 110, 181, 20, "exact MVA"));

        assertThat(
                        one("pattern-keep", patient.recommendations(Bottleneck.CPU))
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(1 / (1 - 1.4 * (1 - 1 / 1.1)), within(0.01));
    }

    /// `secureRandom.nextInt()` is inherited from Random, and `ThreadLocalRandom.nextInt(n)` calls
    /// it. Neither is a shared Random. An inner frame shows that for SecureRandom.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.Random.nextInt java.security.SecureRandom.next",
                "java.util.concurrent.ThreadLocalRandom.nextInt java.util.Random.nextInt"
            })
    void ignoresStackWithExcludedFrame(String stack) {
        assertThat(
                        known(
                                ApiAdviceTest.of(
                                        Profile.Kind.CPU,
                                        50,
                                        "exec",
                                        (PAGE + " " + stack).split(" "))))
                .doesNotContain("random-shared");
    }

    /// Of the samples below a frame, only those without the excluded frame count.
    @Test
    void otherStacksThroughTheSameFrameStillCount() {
        var secure = new Profile.Node("java.security.SecureRandom.next", 30, List.of());
        var plain = new Profile.Node("java.util.Random.next", 20, List.of());
        var random = new Profile.Node("java.util.Random.nextInt", 50, List.of(secure, plain));
        var page = new Profile.Node(PAGE, 100, List.of(random));
        var pool = new Profile.Node("exec", 100, List.of(page));
        var root = new Profile.Node("", 100, List.of(pool));

        assertThat(
                        one(
                                        "random-shared",
                                        with(new Profile(
                                                        Profile.Kind.CPU,
                                                        "test",
                                                        20,
                                                        100,
                                                        0.01,
                                                        0,
                                                        root))
                                                .recommendations(Bottleneck.CPU))
                                .says())
                .contains("20 %");
    }

    /// The cost of a mapper for each request arises where it is created and where it inspects
    /// classes.
    @ParameterizedTest
    @CsvSource({"9, 34, 43", "3, 34, 37", "3, 3, 6"})
    void addsCallsOfOneFault(long made, long learnt, int percent) {
        var init = new Profile.Node("tools.jackson.databind.ObjectMapper.<init>", made, List.of());
        var learns =
                new Profile.Node(
                        "tools.jackson.databind.SerializationContext._createAndCacheUntypedSerializer",
                        learnt,
                        List.of());
        var page = new Profile.Node(PAGE, 100, List.of(init, learns));
        var root = new Profile.Node("", 100, List.of(new Profile.Node("exec", 100, List.of(page))));

        assertThat(
                        one(
                                        "mapper-keep",
                                        with(new Profile(
                                                        Profile.Kind.CPU,
                                                        "test",
                                                        20,
                                                        100,
                                                        0.01,
                                                        0,
                                                        root))
                                                .recommendations(Bottleneck.CPU))
                                .says())
                .contains(percent + " %");
    }

    /// One command for many keys still waits once: half of the waiting time stays.
    @Test
    void batchedCommandStillWaitsOnce() {
        Recommendation batch =
                one(
                        "redis-batch",
                        ApiAdviceTest.of(
                                Profile.Kind.WALL,
                                40,
                                "exec",
                                PAGE,
                                "redis.clients.jedis.Connection.readProtocolWithCheckingBroken"));

        assertThat(batch.predictedQpsRatio().orElseThrow()).isCloseTo(1 / 0.8, within(1e-9));
    }

    /// Missing classes cannot be cached, so the advice is to avoid the look-up.
    @ParameterizedTest
    @CsvSource({
        "java.lang.ClassNotFoundException, 10, false",
        "java.lang.ClassNotFoundException, 0.1, true",
        "java.lang.NumberFormatException, 10, true"
    })
    void missingClassesGiveNoAdviceToKeepThem(String type, double perRequest, boolean advised) {
        var patient = new Patient();
        patient.insight =
                InsightVariant.exceptions(
                        new Insight.Thrown(20, type, PAGE, 90, 1, 900, perRequest));

        assertThat(patient.recommendations(Bottleneck.CLASS_LOADING))
                .extracting(Recommendation::id)
                .satisfies(ids ->
                        assertThat(ids.contains(KnownChange.CLASSES_KEEP.id())).isEqualTo(advised));
    }

    /// All printing counts as logging: no printing gains more than half of the lines.
    @Test
    void printedShareCoversWholeLog() {
        Patient patient =
                with(
                        profile(
                                Profile.Kind.WALL,
                                80,
                                "exec",
                                List.of(PAGE, "java.io.PrintStream.println")));
        patient.evidence =
                Patient.half().busy(Cause.LOGGING, "System.out waiting for the lock in " + PAGE, 8);
        List<Recommendation> all = patient.recommendations(Bottleneck.LOGGING);

        assertThat(all.getFirst().id()).isEqualTo("print-less");
    }

    /// Other processes are the limit. The competing recommendation, half the CPU time, is only a
    /// goal.
    @ParameterizedTest
    @CsvSource({"50, true", "25, true", "6, false"})
    void editPrecedesGoalThatIsNotFirst(long samples, boolean before) {
        Patient patient =
                with(
                        profile(
                                Profile.Kind.CPU,
                                samples,
                                "exec",
                                List.of(PAGE, "java.util.regex.Pattern.compile")));
        patient.evidence = EvidenceFixture.plateau().rounds(r -> r.cores(0.9).others(1));
        List<String> ids =
                patient.recommendations(Bottleneck.CPU_NEIGHBOUR).stream()
                        .map(Recommendation::id)
                        .toList();

        assertThat(ids).startsWith("neighbour-move").contains("pattern-keep", "cpu-halve");
        assertThat(ids.indexOf("pattern-keep") < ids.indexOf("cpu-halve")).isEqualTo(before);
    }

    /// A stylesheet compiled in each request creates classes, and a pool created in each request
    /// starts threads. The advice names what to keep, not only its kind.
    @ParameterizedTest
    @CsvSource({
        "CLASS_LOADING, CPU, javax.xml.transform.TransformerFactory.newInstance, classes-keep, xml-factory-keep",
        "THREAD_CHURN, WALL, com.zaxxer.hikari.HikariDataSource.<init>, threads-reuse, pool-each",
        "THREAD_CHURN, WALL, com.zaxxer.hikari.pool.HikariPool.<init>, threads-reuse, pool-each"
    })
    void editPrecedesGeneralAdvice(
            Bottleneck name, Profile.Kind kind, String frame, String general, String edit) {
        Patient patient = with(profile(kind, 50, "exec", List.of(PAGE, frame)));
        patient.lines =
                List.of(
                        line(Figure.CLASS_LOADING_SHARE, "", 0.9, 0),
                        line(Figure.THREAD_START_SHARE, "", 0.9, 0));
        List<Recommendation> all = patient.recommendations(name);

        assertThat(all).extracting(Recommendation::id).startsWith(edit).contains(general);
        assertThat(one(general, all).predictedQpsRatio().orElseThrow()).isGreaterThan(4);
    }
}
