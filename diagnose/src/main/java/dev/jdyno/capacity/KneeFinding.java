package dev.jdyno.capacity;

import dev.jdyno.measure.verdict.Knee;

/// Whether the rounds show a knee, and if not, why.
public sealed interface KneeFinding {
    record Found(Knee knee) implements KneeFinding {}

    /// @param says what was seen instead, in a sentence for the user
    record NotFound(Reason reason, String says) implements KneeFinding {}

    enum Reason {
        /// Too few rounds with good requests to speak of a curve.
        TOO_FEW_ROUNDS,
        /// Throughput was still rising at the highest load: the knee is beyond it.
        STILL_RISING,
        /// Throughput hardly rose, if at all, from the lowest load on: no round lies well below the
        /// knee.
        FLAT_FROM_THE_START
    }
}
