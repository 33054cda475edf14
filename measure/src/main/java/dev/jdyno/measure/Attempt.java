package dev.jdyno.measure;

import java.util.Optional;

/// What came of a {@link Challenge}.
public sealed interface Attempt {
    Challenge challenge();

    /// It was carried out: the same load before, during and after the change.
    ///
    /// @param change the change as it was made: `CPU 0 of 0-1`
    /// @param after empty where what stays keeps the target from being as it was before
    /// @param stays what is left of a change that was taken back, and goes by itself
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

        /// One of which nothing is left.
        public Made(Challenge challenge, String change, Round before, Round changed, Round after) {
            this(challenge, change, before, changed, Optional.of(after), Optional.empty());
        }
    }

    /// It could not be carried out.
    record NotMade(Challenge challenge, String reason) implements Attempt {}
}
