package dev.jdyno.gclog;

import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcIllness;
import java.util.List;
import java.util.Optional;

/// One problem in an engineer's words: what it is, why it matters for QPS and RT, what to change,
/// and how to verify the change.
///
/// @param advised the recommended changes, all possible with this log's JDK and collector
/// @param verify how to see that a change helped
/// @param predicted the model's prediction for the recommended heap, in words; empty if there is
///   none
public record GcDiagnosis(
        GcIllness illness,
        Severity severity,
        String says,
        String why,
        List<Evidence> evidence,
        List<GcAdvice> advised,
        String verify,
        Optional<String> predicted) {
    /// The severity of the problem.
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

    /// One figure with its limit.
    ///
    /// @param lines lines of the log that show it; empty for a sum over the log
    public record Evidence(String says, double value, String unit, double limit, List<Long> lines) {
        public Evidence {
            lines = List.copyOf(lines);
        }
    }

    public GcDiagnosis {
        evidence = List.copyOf(evidence);
        advised = List.copyOf(advised);
    }

    /// The same diagnosis with another severity, such as the severity of a problem that it causes.
    public GcDiagnosis withSeverity(Severity other) {
        return new GcDiagnosis(illness, other, says, why, evidence, advised, verify, predicted);
    }

    /// The stable name, such as `premature-promotion`.
    public String id() {
        return illness.key();
    }

    /// The recommended changes in words, one line each.
    public List<String> advice() {
        return advised.stream().map(GcAdvice::line).toList();
    }

    /// The heap size that the advice recommends, in bytes, for which a model can predict the
    /// effect.
    public Optional<Double> heapBytes() {
        return advised.stream().flatMap(a -> a.heapBytes().stream()).findFirst();
    }

    public GcDiagnosis withPrediction(String words) {
        return new GcDiagnosis(
                illness, severity, says, why, evidence, advised, verify, Optional.of(words));
    }
}
