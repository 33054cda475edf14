package dev.jdyno.gclog;

/// What one rule says of one log.
public sealed interface GcFinding {
    /// The rule's name.
    String id();

    /// It applies.
    record Found(GcDiagnosis diagnosis) implements GcFinding {
        @Override
        public String id() {
            return diagnosis.id();
        }
    }

    /// The log has what the rule needs, and nothing is wrong.
    record Clear(String id) implements GcFinding {}

    /// The rule cannot be asked.
    record NotApplicable(String id, String reason) implements GcFinding {}
}
