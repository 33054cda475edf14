package dev.jdyno.gclog;

import dev.jdyno.measure.gc.GcIllness;

/// What one rule says of one log.
public sealed interface GcFinding {
    GcIllness illness();

    /// The illness's name.
    default String id() {
        return illness().key();
    }

    /// It applies.
    record Found(GcDiagnosis diagnosis) implements GcFinding {
        @Override
        public GcIllness illness() {
            return diagnosis.illness();
        }
    }

    /// The log has what the rule needs, and nothing is wrong.
    record Clear(GcIllness illness) implements GcFinding {}

    /// The rule cannot be asked.
    record NotApplicable(GcIllness illness, String reason) implements GcFinding {}
}
