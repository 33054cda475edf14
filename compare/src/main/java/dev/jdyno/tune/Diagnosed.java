package dev.jdyno.tune;

import dev.jdyno.measure.OperatingPoint;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One diagnosis during a tuning.
///
/// @param says the verdict as a sentence
/// @param qps throughput of the round with the highest throughput
/// @param rtMs mean response time of that round
/// @param concurrency requests in flight in that round
/// @param knee requests in flight at the knee; without a knee, that round's concurrency
/// @param code recommendations that are not settings
public record Diagnosed(
        Bottleneck bottleneck,
        String where,
        String says,
        double confidence,
        double qps,
        double rtMs,
        int concurrency,
        double knee,
        List<Advice> code) {
    /// Bottlenecks at which all cores are in use. {@link Bottleneck#JIT} is one of them: the
    /// compilers wait for a core that requests use. How much of the cores they take meanwhile
    /// varies from start to start, and throughput with it.
    private static final Set<Bottleneck> CPU_LIMITS =
            EnumSet.of(
                    Bottleneck.CPU, Bottleneck.CPU_QUOTA, Bottleneck.CPU_NEIGHBOUR, Bottleneck.JIT);

    public Diagnosed {
        code = List.copyOf(code);
    }

    /// True if the CPU limits throughput, so that the CPU time of a request shows what it can be.
    boolean isLimitedByCpu() {
        return CPU_LIMITS.contains(bottleneck);
    }

    /// A recommendation that a tuning cannot try.
    ///
    /// @param now the round of the load for which its gain is predicted; empty if there is none
    public record Advice(Recommendation what, Optional<Round> now) {}

    static Diagnosed of(RunResult result) {
        var max = result.recording().atPeakThroughput();
        Optional<Round> now = result.operatingPoint().map(OperatingPoint::round);
        return new Diagnosed(
                result.verdict().bottleneck(),
                result.verdict().where(),
                result.verdict().says().text(),
                result.verdict().confidence(),
                max.map(r -> r.qps()).orElse(0.0),
                max.map(r -> r.rtMs().mean()).orElse(0.0),
                max.map(r -> r.concurrency()).orElse(1),
                result.knee()
                        .map(k -> k.concurrency())
                        .orElse(max.map(r -> (double) r.concurrency()).orElse(1.0)),
                result.recommendations().stream()
                        .filter(r -> !r.tryable())
                        .map(r -> new Advice(r, now))
                        .toList());
    }
}
