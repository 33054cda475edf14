package dev.jdyno.junit;

/// What happens to a test whose measurement cannot be trusted.
public enum WhenInvalid {
    /// It is aborted, as by a failed assumption: the service is neither good nor bad.
    ABORT,
    /// It fails.
    FAIL
}
