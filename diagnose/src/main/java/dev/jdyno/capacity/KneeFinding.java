package dev.jdyno.capacity;

import dev.jdyno.measure.verdict.Knee;
import java.util.List;

/// Whether the rounds show a knee, or the reason why they show none.
public sealed interface KneeFinding {
    record Found(Knee knee) implements KneeFinding {}

    /// @param says sentence that tells the user what the rounds show instead of a knee
    /// @param lowerLoads requests in flight that would show the knee; empty if it is above all
    ///   loads
    record NotFound(Reason reason, String says, List<Integer> lowerLoads) implements KneeFinding {
        public NotFound {
            lowerLoads = List.copyOf(lowerLoads);
        }
    }

    enum Reason {
        /// Too few rounds with good requests for a curve.
        TOO_FEW_ROUNDS,
        /// Throughput still rose at the highest load, so the knee is beyond it.
        STILL_RISING,
        /// Throughput rose little or not at all above the lowest load, so no round is well below
        /// the knee.
        FLAT_FROM_THE_START
    }
}
