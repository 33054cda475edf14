package dev.jdyno.measure;

import java.util.Optional;

/// The outcome of a {@link Challenge}.
public sealed interface Attempt {
    Challenge challenge();

    /// The experiment was carried out: rounds at the same load before, during and after the change.
    ///
    /// @param change the change as it was made: `CPU 0 of 0-1`
    /// @param before the round before the change
    /// @param changed the round during the change
    /// @param after the round after the change; empty if the lasting effect `stays` keeps the
    ///   target from its former state
    /// @param stays effect that remains after the change was undone; it goes away by itself
    record Made(
            Challenge challenge,
            String change,
            Round before,
            Round changed,
            Optional<Round> after,
            Optional<String> stays)
            implements Attempt {
        public Made {
            if (after.isPresent() == stays.isPresent()) {
                throw new IllegalArgumentException("a round after it, or why there is none");
            }
        }

        /// An experiment whose change left no lasting effect.
        public Made(Challenge challenge, String change, Round before, Round changed, Round after) {
            this(challenge, change, before, changed, Optional.of(after), Optional.empty());
        }
    }

    /// The experiment could not be carried out.
    record NotMade(Challenge challenge, String reason) implements Attempt {}
}
