package dev.jdyno.junit;

/// The result of a test whose measurement cannot be trusted.
public enum WhenInvalid {
    /// The test is aborted, as by a failed assumption: the service is neither good nor bad.
    ABORT,
    /// The test fails.
    FAIL
}
