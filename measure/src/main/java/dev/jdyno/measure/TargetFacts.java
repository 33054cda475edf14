package dev.jdyno.measure;

import dev.jdyno.measure.text.Secrets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Facts of the target.
///
/// @param pid its process id; empty with `--no-target`
/// @param cores cores that it may use: the minimum of machine, affinity and cgroup quota
/// @param memoryLimitBytes memory limit of its cgroup and of those above it; empty if there is no
///   limit
/// @param flags flags of its JVM; secrets in them are masked
/// @param attached whether it ran before jdyno (`--pid`) and was not launched by it
/// @param means the sources that gave evidence: proc, hsperfdata, attach, jfr, …
/// @param missing the sources that were not available, each with the reason
/// @param standstills times in which it was stopped
/// @param jvmStart start of the JVM, by the wall clock of the host on which jdyno runs; empty if it
///   is not known
public record TargetFacts(
        Optional<Long> pid,
        Optional<String> jvm,
        Optional<String> jdkVersion,
        Optional<String> collector,
        Optional<Long> heapMaxBytes,
        Optional<Long> memoryLimitBytes,
        List<String> flags,
        double cores,
        boolean attached,
        List<String> means,
        List<String> missing,
        List<Standstill> standstills,
        Optional<Instant> jvmStart) {
    public TargetFacts {
        standstills = List.copyOf(standstills);
        flags = Secrets.flags(flags);
        means = List.copyOf(means);
        missing = missing.stream().map(Secrets::text).toList();
    }

    /// Facts of a target that was never stopped.
    public TargetFacts(
            Optional<Long> pid,
            Optional<String> jvm,
            Optional<String> jdkVersion,
            Optional<String> collector,
            Optional<Long> heapMaxBytes,
            Optional<Long> memoryLimitBytes,
            List<String> flags,
            double cores,
            boolean attached,
            List<String> means,
            List<String> missing) {
        this(
                pid,
                jvm,
                jdkVersion,
                collector,
                heapMaxBytes,
                memoryLimitBytes,
                flags,
                cores,
                attached,
                means,
                missing,
                List.of(),
                Optional.empty());
    }

    /// Facts of a target without a memory limit.
    public TargetFacts(
            Optional<Long> pid,
            Optional<String> jvm,
            Optional<String> jdkVersion,
            Optional<String> collector,
            Optional<Long> heapMaxBytes,
            List<String> flags,
            double cores,
            boolean attached,
            List<String> means,
            List<String> missing) {
        this(
                pid,
                jvm,
                jdkVersion,
                collector,
                heapMaxBytes,
                Optional.empty(),
                flags,
                cores,
                attached,
                means,
                missing);
    }

    /// The same facts with further available and missing sources.
    public TargetFacts with(List<String> furtherMeans, List<String> furtherMissing) {
        return copy(
                both(means, furtherMeans), both(missing, furtherMissing), standstills, jvmStart);
    }

    /// The same facts with the times in which the target was stopped.
    public TargetFacts with(List<Standstill> stood) {
        return copy(means, missing, stood, jvmStart);
    }

    /// The same facts with the start time of the JVM.
    public TargetFacts withJvmStart(Optional<Instant> at) {
        return copy(means, missing, standstills, at);
    }

    private TargetFacts copy(
            List<String> gave,
            List<String> lacking,
            List<Standstill> stood,
            Optional<Instant> started) {
        return new TargetFacts(
                pid,
                jvm,
                jdkVersion,
                collector,
                heapMaxBytes,
                memoryLimitBytes,
                flags,
                cores,
                attached,
                gave,
                lacking,
                stood,
                started);
    }

    private static List<String> both(List<String> some, List<String> further) {
        List<String> all = new ArrayList<>(some);
        all.addAll(further);
        return all;
    }
}
