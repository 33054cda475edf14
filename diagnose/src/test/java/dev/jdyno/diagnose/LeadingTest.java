package dev.jdyno.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.diagnose.evidence.Patient;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.KnownChange;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// A recommendation without a gain, or with an unknown gain, does not lead the list.
class LeadingTest {
    private static final Set<Bottleneck> FAILURES =
            EnumSet.of(Bottleneck.GC_LEAK, Bottleneck.PORTS, Bottleneck.ACCEPT_QUEUE);

    private static Patient modelled(Map<StandardChange, Double> qpsAfter) {
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
                qpsAfter.entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey,
                                        e ->
                                                new WhatIf(
                                                        e.getKey(),
                                                        e.getValue(),
                                                        20_000 / e.getValue(),
                                                        20,
                                                        "exact MVA")));
        return patient;
    }

    private static List<String> ids(List<Recommendation> all) {
        return all.stream().map(Recommendation::id).toList();
    }

    /// In the model, both half the CPU time and twice the cores give today's throughput again.
    @Test
    void ignoresChangeWithoutEffect() {
        Patient patient = modelled(Map.of(StandardChange.CPU, 100.0, StandardChange.CORES, 100.4));

        List<Recommendation> all = patient.recommendations(Bottleneck.CPU);

        assertThat(ids(all))
                .startsWith(KnownChange.MEASURE_NEXT.id())
                .contains("cpu-halve", "cores-double");
        assertThat(all.getFirst().predictedQpsRatio()).isEmpty();
        assertThat(all.getFirst().how()).contains("--prove");
    }

    /// The formula's bound gives twice the throughput, but the model of the same change gives no
    /// gain.
    @ParameterizedTest
    @CsvSource({
        "LOCK, LOCK, lock-shorter",
        "DOWNSTREAM, DOWNSTREAM, downstream-halve",
        "CPU, CPU, cpu-halve",
        "CPU, CORES, cores-double"
    })
    void changeRefutedByModelDoesNotLead(Bottleneck name, StandardChange change, String id) {
        Patient patient = modelled(Map.of(change, 100.0));

        List<Recommendation> all = patient.recommendations(name);

        assertThat(all.getFirst().id()).isNotEqualTo(id);
        assertThat(all)
                .filteredOn(r -> r.id().equals(id))
                .singleElement()
                .satisfies(r ->
                        assertThat(r.predictedQpsRatio().orElseThrow()).isCloseTo(1, within(0.01)));
    }

    @ParameterizedTest
    @CsvSource({"102, false", "104, true", "200, true"})
    void ignoresGainWithinNoiseOfTwoRuns(double after, boolean leads) {
        Patient patient = modelled(Map.of(StandardChange.CPU, after, StandardChange.CORES, 100.0));

        assertThat(ids(patient.recommendations(Bottleneck.CPU)).getFirst().equals("cpu-halve"))
                .isEqualTo(leads);
    }

    /// Twice the cores gain a little more than half the CPU time, but this machine does not have
    /// them.
    @Test
    void aChangeBeyondTheMachineDoesNotLead() {
        Patient patient = modelled(Map.of(StandardChange.CPU, 195.0, StandardChange.CORES, 200.0));

        List<String> ids = ids(patient.recommendations(Bottleneck.CPU));

        assertThat(ids).startsWith("cpu-halve");
        assertThat(ids).contains("cores-double");
    }

    /// If no other change gains, a change that needs more cores leads the list.
    @Test
    void changeBeyondMachineLeadsIfNothingElseGains() {
        Patient patient = modelled(Map.of(StandardChange.CPU, 100.0, StandardChange.CORES, 200.0));

        assertThat(ids(patient.recommendations(Bottleneck.CPU))).startsWith("cores-double");
    }

    /// The gain from compiled code varies too much between services for a prediction.
    @Test
    void listsUnpredictedChangesAfterTheirNote() {
        var patient = new Patient();
        patient.evidence = Patient.half().sign(Sign.INTERPRETED_SHARE, 0.8);

        List<Recommendation> all = patient.recommendations(Bottleneck.JIT);

        assertThat(ids(all)).startsWith(KnownChange.MEASURE_NEXT.id(), "interpreted-code");
        assertThat(all.getFirst().formula()).isEqualTo(all.get(1).formula());
    }

    @ParameterizedTest
    @EnumSource(Recommendations.Aim.class)
    void measurementLeadsOnlyIfNoChangeGains(Recommendations.Aim aim) {
        for (Bottleneck name : Bottleneck.values()) {
            var patient = new Patient();
            patient.aim = aim;
            List<Recommendation> all = patient.recommendations(name);
            boolean gains =
                    all.stream()
                            .anyMatch(r ->
                                    r.predictedQpsRatio().orElse(1.0) > 1 + Leading.WORTH
                                            || r.predictedRtRatio().orElse(1.0)
                                                    < 1 - Leading.WORTH);
            assertThat(all.getFirst().isMeasurement())
                    .as(name.key())
                    .isEqualTo(!gains && !FAILURES.contains(name));
        }
    }

    /// "Log half as many lines" names no place. The log level of a logger with two fifths of all
    /// lines is a setting.
    @Test
    void settingPrecedesChangeWithoutPlace() {
        var patient = new Patient();
        patient.evidence =
                Patient.half()
                        .busy(Cause.LOGGING, "logback waiting for ReentrantLock in Lab.write", 20)
                        .sign(Sign.LOGGED_LOW_SHARE, 0.4, "com.acme.Page");

        assertThat(ids(patient.recommendations(Bottleneck.LOGGING)))
                .startsWith("logging-level")
                .contains("logging-less");
    }

    /// A leak has no cost until it ends the service, and a flag that keeps all code slow is wrong
    /// at any cost.
    @Test
    void certainChangeLeadsWithoutGain() {
        var slow = new Patient();
        slow.flags = List.of("-Xint");

        assertThat(new Patient().recommendations(Bottleneck.GC_LEAK).getFirst().isMeasurement())
                .isFalse();
        assertThat(ids(slow.recommendations(Bottleneck.JIT))).startsWith("compiler-on");
    }
}
