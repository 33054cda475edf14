package dev.jdyno.tune;

import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Recommendation;
import java.util.List;
import java.util.Optional;

/// One diagnosis on the way.
///
/// @param says the verdict in a sentence
/// @param qps of the round with the most throughput
/// @param rtMs its mean response time
/// @param concurrency its requests in flight
/// @param knee requests in flight at the knee; that concurrency where there is none
/// @param code what is recommended that is no setting
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
    public Diagnosed {
        code = List.copyOf(code);
    }

    /// A recommendation that cannot be tried here.
    public record Advice(String says, Optional<Double> predictedQpsRatio) {}

    static Diagnosed of(RunResult result) {
        var most = result.recording().ofMostThroughput();
        return new Diagnosed(
                result.verdict().bottleneck(),
                result.verdict().where(),
                result.verdict().says().text(),
                result.verdict().confidence(),
                most.map(r -> r.qps()).orElse(0.0),
                most.map(r -> r.rtMs().mean()).orElse(0.0),
                most.map(r -> r.concurrency()).orElse(1),
                result.knee()
                        .map(k -> k.concurrency())
                        .orElse(most.map(r -> (double) r.concurrency()).orElse(1.0)),
                result.prescriptions().stream()
                        .filter(r -> !r.tryable())
                        .map(Diagnosed::advice)
                        .toList());
    }

    private static Advice advice(Recommendation r) {
        return new Advice(r.says().text(), r.predictedQpsRatio());
    }
}
