package dev.jdyno.gclog;

import dev.jdyno.measure.gc.GcIllness;

/// The result of one rule for one log.
public sealed interface GcFinding {
    GcIllness illness();

    /// The name of the illness.
    default String id() {
        return illness().key();
    }

    /// The rule found the problem.
    record Found(GcDiagnosis diagnosis) implements GcFinding {
        @Override
        public GcIllness illness() {
            return diagnosis.illness();
        }
    }

    /// The log has the figures that the rule needs, and they show no problem.
    record Clear(GcIllness illness) implements GcFinding {}

    /// The rule cannot be applied to this log.
    record NotApplicable(GcIllness illness, String reason) implements GcFinding {}
}
