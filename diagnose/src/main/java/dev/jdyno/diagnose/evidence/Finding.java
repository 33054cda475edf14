package dev.jdyno.diagnose.evidence;

import dev.jdyno.measure.text.Sentence;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict.EvidenceLine;
import java.util.List;
import java.util.Optional;

/// The result of one rule for one recording.
public sealed interface Finding {
    /// This bottleneck limits the service, with a confidence of 0 to 1.
    ///
    /// @param where the lock, host:port or pool; empty if the name needs no place
    /// @param statement one sentence, in the words of an engineer
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

    /// The figure reaches its limit only within the error of the measurement. The verdict names
    /// this bottleneck only if no other rule names one.
    ///
    /// @param limits the finding to report, with the confidence for this case
    record Near(Limits limits) implements Finding {}

    /// The rule checked the bottleneck and ruled it out.
    ///
    /// @param suspicion 0…1: how close the figures came to the limit
    /// @param below the figure that decided; empty if no single figure did
    /// @param rather the bottleneck that the same figures support; empty if they support none
    record Cleared(
            double suspicion,
            String whyNot,
            Optional<BelowLimit> below,
            Optional<Bottleneck> rather)
            implements Finding {
        public Cleared(double suspicion, String whyNot) {
            this(suspicion, whyNot, Optional.empty());
        }

        public Cleared(double suspicion, String whyNot, Optional<BelowLimit> below) {
            this(suspicion, whyNot, below, Optional.empty());
        }

        /// The same finding, with the other bottleneck that the figures support.
        public Cleared rather(Bottleneck other) {
            return new Cleared(suspicion, whyNot, below, Optional.of(other));
        }

        /// Rules the bottleneck out because a share is too small.
        ///
        /// @param what the whole of the share, with its verb: `of the threads in use wait for
        ///   locks`
        public static Cleared only(double suspicion, BelowLimit share, String what) {
            return new Cleared(suspicion, share.only(what), Optional.of(share));
        }

        /// @param more text that follows the reason
        public Cleared and(String more) {
            return new Cleared(suspicion, whyNot + more, below, rather);
        }
    }

    /// The bottleneck cannot be judged from the measurements.
    record NotApplicable(String reason) implements Finding {}
}
