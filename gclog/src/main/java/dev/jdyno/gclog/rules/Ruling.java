package dev.jdyno.gclog.rules;

import dev.jdyno.gclog.GcDiagnosis;
import dev.jdyno.gclog.GcDiagnosis.Evidence;
import dev.jdyno.gclog.GcDiagnosis.Severity;
import dev.jdyno.gclog.GcFinding;
import dev.jdyno.measure.gc.GcAdvice;
import dev.jdyno.measure.gc.GcIllness;
import java.util.List;
import java.util.Optional;

/// The result of a rule for a log, before the name of its illness is added.
sealed interface Ruling {
    GcFinding of(GcIllness illness);

    record Found(
            Severity severity,
            String says,
            String why,
            List<Evidence> evidence,
            List<GcAdvice> advised,
            String verify)
            implements Ruling {
        @Override
        public GcFinding of(GcIllness illness) {
            return new GcFinding.Found(
                    new GcDiagnosis(
                            illness,
                            severity,
                            says,
                            why,
                            evidence,
                            advised,
                            verify,
                            Optional.empty()));
        }
    }

    record Clear() implements Ruling {
        @Override
        public GcFinding of(GcIllness illness) {
            return new GcFinding.Clear(illness);
        }
    }

    record NotApplicable(String reason) implements Ruling {
        @Override
        public GcFinding of(GcIllness illness) {
            return new GcFinding.NotApplicable(illness, reason);
        }
    }
}
