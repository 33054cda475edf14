package dev.jdyno.measure;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The finished result of one run: what the report, history and scripts read.
public record RunResult(
        About jdyno,
        Machine machine,
        TargetFacts target,
        List<Round> rounds,
        List<Census> census,
        Optional<Knee> knee,
        List<Demand> demands,
        Verdict verdict,
        List<WhatIf> whatIf,
        List<Prescription> prescriptions,
        Validity validity,
        boolean partial) {

    /// Which jdyno ran and how.
    public record About(
            String version, String commandLine, Instant startedAt, double durationS, String name) {}

    public RunResult {
        rounds = List.copyOf(rounds);
        census = List.copyOf(census);
        demands = List.copyOf(demands);
        whatIf = List.copyOf(whatIf);
        prescriptions = List.copyOf(prescriptions);
    }
}
