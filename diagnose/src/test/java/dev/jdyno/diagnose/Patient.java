package dev.jdyno.diagnose;

import dev.jdyno.diagnose.Prescriptions.Aim;
import dev.jdyno.measure.Bottleneck;
import dev.jdyno.measure.Cause;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.Knee;
import dev.jdyno.measure.Prescription;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.Verdict;
import dev.jdyno.measure.Verdict.EvidenceLine;
import dev.jdyno.measure.WhatIf;
import java.util.List;
import java.util.Optional;

/// A patient, with what a test says of it; half of two cores are used.
final class Patient {
    EvidenceFixture evidence = half();
    Optional<Knee> knee = Optional.empty();
    List<WhatIf> whatIf = List.of();
    List<EvidenceLine> lines = List.of();
    String where = "";
    String collector = "Serial";
    Optional<Long> heap = Optional.of(256L << 20);
    Optional<Long> memoryLimit = Optional.empty();
    String jdk = "25.0.3";
    List<String> flags = List.of();
    double cores = 2;
    Insight insight = Insight.NONE;
    Aim aim = Aim.QPS;

    List<Prescription> cures(Bottleneck name) {
        var verdict = new Verdict(name, where, 0.9, "", lines, List.of());
        return Prescriptions.of(
                verdict, Evidence.of(recording(), knee), knee, whatIf, recording(), aim);
    }

    Verdict verdict() {
        return Diagnosis.of(Evidence.of(recording(), knee));
    }

    private Recording recording() {
        return evidence.recording(
                new TargetFacts(
                        Optional.of(1L),
                        Optional.empty(),
                        Optional.of(jdk),
                        Optional.of(collector),
                        heap,
                        memoryLimit,
                        flags,
                        cores,
                        true,
                        List.of(),
                        List.of()),
                insight);
    }

    Prescription cure(Bottleneck name, String id) {
        return cures(name).stream().filter(p -> p.id().equals(id)).findFirst().orElseThrow();
    }

    static EvidenceFixture half() {
        return EvidenceFixture.plateau()
                .rounds(r -> r.cores(1.0))
                .busy(Cause.LOCK, "Ledger", 10)
                .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 10);
    }

    static EvidenceLine figure(String id, double value) {
        return new EvidenceLine(id, "", value, "share", 0);
    }
}
