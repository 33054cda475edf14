package dev.jdyno.diagnose.advice;

import static dev.jdyno.diagnose.advice.ApiAdviceTest.PAGE;
import static dev.jdyno.diagnose.advice.ApiAdviceTest.known;
import static dev.jdyno.diagnose.advice.ApiAdviceTest.one;
import static dev.jdyno.diagnose.advice.ApiAdviceTest.profile;
import static dev.jdyno.diagnose.advice.ApiAdviceTest.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Profile;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which part of the stacks an entry of the knowledge file counts, and what it predicts of it.
class AdviceShareTest {
    /// The model says that half of the CPU gives a tenth more: seven tenths of the CPU gives no
    /// more than 1 / (1 - 1.4 · (1 - 1 / 1.1)), and not 1 / (1 - 0.7).
    @Test
    void moreThanHalfOfTheCpuGainsNoMoreThanTheModelAllows() {
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

    /// `secureRandom.nextInt()` is the method of Random that SecureRandom inherits, and
    /// `ThreadLocalRandom.nextInt(n)` calls it: neither is a shared Random. A frame further in says
    /// so for the first.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.Random.nextInt java.security.SecureRandom.next",
                "java.util.concurrent.ThreadLocalRandom.nextInt java.util.Random.nextInt"
            })
    void aStackWithAnExcludedFrameAnywhereDoesNotCount(String stack) {
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

    /// One command for many keys waits as well: half of the waiting stays.
    @Test
    void aBatchStillWaitsOnce() {
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
}
