package dev.jdyno.gclog;

import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcIllness;
import java.util.List;
import java.util.Optional;

/// One thing that is wrong, in the words of an engineer: what, why it matters for QPS and RT, what
/// to change, how to see that it helped.
///
/// @param advised one change each, possible with this log's JDK and collector
/// @param verify how to see that a change helped
/// @param predicted what a model says of that heap, in words; empty when nothing could
public record GcDiagnosis(
        GcIllness illness,
        Severity severity,
        String says,
        String why,
        List<Evidence> evidence,
        List<GcAdvice> advised,
        String verify,
        Optional<String> predicted) {
    /// How much it costs.
    public enum Severity {
        INFO("info"),
        WARNING("warning"),
        CRITICAL("critical");

        private final String key;

        Severity(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    /// One figure beside its limit.
    ///
    /// @param lines where in the log it can be seen; empty for a sum over the log
    public record Evidence(String says, double value, String unit, double limit, List<Long> lines) {
        public Evidence {
            lines = List.copyOf(lines);
        }
    }

    public GcDiagnosis {
        evidence = List.copyOf(evidence);
        advised = List.copyOf(advised);
    }

    /// The same, as urgent as what it brings about.
    public GcDiagnosis withSeverity(Severity other) {
        return new GcDiagnosis(illness, other, says, why, evidence, advised, verify, predicted);
    }

    /// Stable name, such as `premature-promotion`.
    public String id() {
        return illness.key();
    }

    /// The same in words, a line each.
    public List<String> advice() {
        return advised.stream().map(GcAdvice::line).toList();
    }

    /// The heap that the advice asks for, in bytes, so that a model can predict what it gives.
    public Optional<Double> heapBytes() {
        return advised.stream().flatMap(a -> a.heapBytes().stream()).findFirst();
    }

    public GcDiagnosis withPrediction(String words) {
        return new GcDiagnosis(
                illness, severity, says, why, evidence, advised, verify, Optional.of(words));
    }
}
