package dev.jdyno.measure;

/// What came of a {@link Challenge}.
public sealed interface Attempt {
    Challenge challenge();

    /// It was carried out: the same load before, during and after the change.
    ///
    /// @param change the change as it was made: `CPU 0 of 0-1`
    record Made(Challenge challenge, String change, Round before, Round changed, Round after)
            implements Attempt {}

    /// It could not be carried out.
    record NotMade(Challenge challenge, String reason) implements Attempt {}
}
