package dev.jdyno.gclog;

/// What one rule says of one log.
public sealed interface Finding {
    /// The rule's name.
    String id();

    /// It applies.
    record Found(Diagnosis diagnosis) implements Finding {
        @Override
        public String id() {
            return diagnosis.id();
        }
    }

    /// The log has what the rule needs, and nothing is wrong.
    record Clear(String id) implements Finding {}

    /// The rule cannot be asked.
    record NotApplicable(String id, String reason) implements Finding {}
}
