package dev.jdyno.diagnose.gain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.NextLimit;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Recommendations whose gain is bounded by the two cores of the machine.
class CappedGainsTest {
    /// Ratio of the throughput that the two cores allow to the present one. The load generator uses
    /// the same cores.
    private static double ceiling(Patient patient) {
        CpuUse cpu = patient.evidence.build().plateau().cpu().orElseThrow();
        return 2 / (cpu.processCores() + cpu.clientCores());
    }

    @Test
    void halvedHoldTimeGainsUpToCpuBound() {
        var patient = new Patient();
        double ceiling = ceiling(patient);

        Recommendation recommendation = patient.recommendation(Bottleneck.LOCK, "lock-shorter");

        assertThat(recommendation.predictedQpsRatio().orElseThrow())
                .isCloseTo(Math.min(2, ceiling), within(1e-9));
        assertThat(recommendation.predictedRtRatio().orElseThrow())
                .isCloseTo(Math.max(0.5, 1 / ceiling), within(1e-9));
        assertThat(recommendation.atMost()).isTrue();
        assertThat(recommendation.formula()).contains("F2");
    }

    @Test
    void nearlySaturatedCpuCapsGainOfLock() {
        var patient = new Patient();
        patient.evidence = Patient.half().rounds(r -> r.cores(1.6));

        assertThat(
                        patient.recommendation(Bottleneck.LOCK, "lock-split")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(ceiling(patient), within(1e-9))
                .isLessThan(1.4);
    }

    /// A change that saves CPU time frees cores, so the saturated CPU does not bound its gain.
    @ParameterizedTest
    @CsvSource({
        "CLASS_LOADING, classes-keep, class-loading-share, false",
        "THREAD_CHURN, threads-reuse, thread-start-share, true",
    })
    void removedWorkFreesItsCores(
            Bottleneck name, String recommendation, String share, boolean atMost) {
        var patient = new Patient();
        patient.evidence = Patient.half().rounds(r -> r.cores(1.95));
        patient.lines = List.of(Patient.figure(share, 0.5));

        assertThat(patient.recommendation(name, recommendation).predictedQpsRatio().orElseThrow())
                .as("half of 1.95 cores goes, and the load generator takes 0.05 of the 2")
                .isCloseTo(2 / (1.95 / 2 + 0.05), within(1e-9));
        assertThat(patient.recommendation(name, recommendation).atMost()).isEqualTo(atMost);
    }

    /// A second lock allows 10 % more.
    @Test
    void secondLimitBoundsTheGainOfTheFirst() {
        var patient = new Patient();
        patient.next = Optional.of(next(Bottleneck.LOCK));

        assertThat(
                        patient.recommendation(Bottleneck.LOCK, "lock-shorter")
                                .predictedQpsRatio()
                                .orElseThrow())
                .isCloseTo(1.1, within(1e-9));
    }

    /// Less CPU time also helps where a quota is the second limit.
    @ParameterizedTest
    @CsvSource({"CPU_QUOTA, false", "LOCK, true"})
    void changeOfBothLimitsIsNotBoundByTheSecond(Bottleneck second, boolean bound) {
        var patient = new Patient();
        patient.evidence = Patient.half().rounds(r -> r.cores(1.9));
        double alone = halved(patient);
        patient.next = Optional.of(next(second));

        assertThat(alone).isGreaterThan(1.1);
        assertThat(halved(patient)).isCloseTo(bound ? 1.1 : alone, within(1e-9));
    }

    private static double halved(Patient patient) {
        return patient.recommendation(Bottleneck.CPU, "cpu-halve")
                .predictedQpsRatio()
                .orElseThrow();
    }

    private static NextLimit next(Bottleneck name) {
        return new NextLimit(
                name,
                "there",
                0.7,
                NextLimit.Way.QUEUE,
                8,
                100,
                108,
                0.1,
                Optional.of(new NextLimit.After(Bottleneck.CPU, 180, 0.8)));
    }
}
