package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;

/// What one rule says of one recording.
public sealed interface Finding {
    /// It is this, as sure as `confidence` (0…1) says.
    ///
    /// @param where which lock, host:port, pool; empty when the name says it all
    /// @param statement one sentence an engineer would say
    record Limits(String where, double confidence, Statement statement, List<EvidenceLine> evidence)
            implements Finding {
        public Limits(
                String where,
                double confidence,
                CharSequence sentence,
                List<EvidenceLine> evidence) {
            this(where, confidence, Statement.whole(sentence), evidence);
        }

        public Limits {
            evidence = List.copyOf(evidence);
            if (!(confidence >= 0 && confidence <= 1)) {
                throw new IllegalArgumentException("confidence " + confidence);
            }
        }

        public Sentence says() {
            return statement.text();
        }
    }

    /// It reaches its limit within the error of the measurement: named only where nothing else is.
    ///
    /// @param limits what would be said, with the confidence that this deserves
    record Near(Limits limits) implements Finding {}

    /// It was looked at and is not it.
    ///
    /// @param suspicion 0…1: how near it came
    /// @param below the figure that decided, where one did
    record Cleared(double suspicion, String whyNot, Optional<BelowLimit> below) implements Finding {
        public Cleared(double suspicion, String whyNot) {
            this(suspicion, whyNot, Optional.empty());
        }

        /// Ruled out by a share that is too small.
        ///
        /// @param what of what it is a share, and what that does
        public static Cleared only(double suspicion, BelowLimit share, String what) {
            return new Cleared(suspicion, share.only(what), Optional.of(share));
        }

        /// @param more follows the reason
        public Cleared and(String more) {
            return new Cleared(suspicion, whyNot + more, below);
        }
    }

    /// It cannot be judged from what was measured.
    record NotApplicable(String reason) implements Finding {}
}
