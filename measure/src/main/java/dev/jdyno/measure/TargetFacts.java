package dev.jdyno.measure;

import dev.jdyno.measure.text.Secrets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is known of the target.
///
/// @param pid its process id; empty with `--no-target`
/// @param cores what it may use: the least of machine, affinity and cgroup quota
/// @param memoryLimitBytes what its cgroup and those above let it take; empty where nothing limits
///   it
/// @param flags what its JVM was started with; secrets in them are masked
/// @param attached whether it ran before us (`--pid`) instead of being launched by us
/// @param means the sources that gave evidence: proc, hsperfdata, attach, jfr, …
/// @param missing the sources that could not be had, each with the reason
/// @param standstills when it was stopped
/// @param jvmStart when the JVM began to start, by the wall clock of the host on which jdyno runs;
///   empty where that is not known
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

    /// One that ran all the time.
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

    /// Without a limit of its memory.
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

    /// The same, with further sources that gave evidence and that could not be had.
    public TargetFacts with(List<String> furtherMeans, List<String> furtherMissing) {
        return copy(
                both(means, furtherMeans), both(missing, furtherMissing), standstills, jvmStart);
    }

    /// The same, with the times in which it was stopped.
    public TargetFacts with(List<Standstill> stood) {
        return copy(means, missing, stood, jvmStart);
    }

    /// The same, with when its JVM began to start.
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
