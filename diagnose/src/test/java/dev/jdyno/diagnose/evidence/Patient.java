package dev.jdyno.diagnose.evidence;

import dev.jdyno.diagnose.Diagnosis;
import dev.jdyno.diagnose.Recommendations;
import dev.jdyno.diagnose.Recommendations.Aim;
import dev.jdyno.measure.Insight;
import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.thread.Cause;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.measure.verdict.NextLimit;
import dev.jdyno.measure.verdict.Recommendation;
import dev.jdyno.measure.verdict.StandardChange;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import dev.jdyno.measure.verdict.WhatIf;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A service with half of two cores in use and the properties that a test sets.
public final class Patient {
    public EvidenceFixture evidence = half();
    public Optional<Knee> knee = Optional.empty();
    public Map<StandardChange, WhatIf> whatIf = Map.of();
    public List<EvidenceLine> lines = List.of();
    public String where = "";
    public String collector = "Serial";
    public Optional<Long> heap = Optional.of(256L << 20);
    public Optional<Long> memoryLimit = Optional.empty();
    public String jdk = "25.0.3";
    public List<String> flags = List.of();
    public double cores = 2;
    public Insight insight = Insight.NONE;
    public Aim aim = Aim.QPS;
    public Optional<NextLimit> next = Optional.empty();

    public List<Recommendation> recommendations(Bottleneck name) {
        var verdict = new Verdict(name, where, 0.9, Sentence.of(""), lines, List.of(), next);
        return Recommendations.of(
                verdict, Evidence.of(recording(), knee), knee, whatIf, recording(), aim);
    }

    /// The input of the recommendations for a verdict.
    public Situation situation(Bottleneck name) {
        return Situation.of(
                new Verdict(name, where, 0.9, Sentence.of(""), lines, List.of()),
                Evidence.of(recording(), knee),
                knee,
                whatIf,
                recording(),
                OperatingPoint.of(recording()));
    }

    public Verdict verdict() {
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

    public Recommendation recommendation(Bottleneck name, String id) {
        return recommendations(name).stream()
                .filter(p -> p.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /// The change of a recommendation as text.
    public String change(Bottleneck name, String id) {
        return recommendation(name, id).change().text();
    }

    public static EvidenceFixture half() {
        return EvidenceFixture.plateau()
                .rounds(r -> r.cores(1.0))
                .busy(Cause.LOCK, "Ledger", 10)
                .busy(Cause.DOWNSTREAM, "10.0.0.7:80", 10);
    }

    public static EvidenceLine figure(String id, double value) {
        return new EvidenceLine(id, Sentence.of(""), value, "share", 0);
    }
}
