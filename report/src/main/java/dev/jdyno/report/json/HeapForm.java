package dev.jdyno.report.json;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.jdyno.heapmodel.simulation.HeapAnswer;
import dev.jdyno.heapmodel.simulation.HeapLayout;
import dev.jdyno.heapmodel.simulation.HeapPrediction;
import dev.jdyno.heapmodel.simulation.HeapSizing;
import dev.jdyno.report.words.HeapText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/// `jdyno/heap/1`, the document of `jdyno heap --json`. The names of components are keys that
/// scripts read.
///
/// @param sweep left out where no sizes were asked for
public record HeapForm(
        String schema,
        long youngGcs,
        long fullGcs,
        long promotedBytes,
        long directOldBytes,
        double gcTimeMs,
        double gcSharePct,
        Optional<Double> youngIntervalMs,
        Optional<Double> fullGcIntervalS,
        boolean fullGcsFrequent,
        boolean outOfMemory,
        long requests,
        double elapsedS,
        double qps,
        OptionalInt safeConcurrency,
        long youngEnoughBytes,
        HeapLayout layout,
        List<String> assumptions,
        @JsonInclude(Include.NON_EMPTY) List<Step> sweep,
        String says) {

    public static HeapForm of(HeapAnswer answer) {
        var text = new HeapText(answer);
        HeapPrediction run = answer.run();
        return new HeapForm(
                "jdyno/heap/1",
                run.youngGcs(),
                run.fullGcs(),
                run.promotedBytes(),
                run.directBytes(),
                round(run.gcSeconds() * 1e3),
                round(run.gcShare() * 100),
                scaled(run.youngIntervalSeconds(), 1e3),
                scaled(run.fullGcIntervalSeconds(), 1),
                run.fullGcsFrequent(),
                run.outOfMemory(),
                run.requests(),
                round(run.elapsedSeconds()),
                round(run.requestsPerSecond()),
                answer.safeConcurrency(),
                answer.youngEnough().value(),
                run.layout(),
                text.assumptions(),
                answer.sweep().stream().map(Step::of).toList(),
                text.says());
    }


    record Step(
            long youngBytes,
            long requests,
            long youngGcs,
            long fullGcs,
            double gcSharePct,
            double qps) {
        private static Step of(HeapSizing.Step s) {
            HeapPrediction p = s.prediction();
            return new Step(
                    s.young().value(),
                    p.requests(),
                    p.youngGcs(),
                    p.fullGcs(),
                    round(p.gcShare() * 100),
                    round(p.requestsPerSecond()));
        }
    }

    private static Optional<Double> scaled(OptionalDouble v, double factor) {
        return v.isPresent() ? Optional.of(round(v.getAsDouble() * factor)) : Optional.empty();
    }

    /// Three decimals: more would be noise.
    private static double round(double v) {
        return Math.round(v * 1e3) / 1e3;
    }
}
