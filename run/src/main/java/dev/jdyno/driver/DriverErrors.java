package dev.jdyno.driver;

/// Names of failures that several readers share.
final class DriverErrors {
    /// Replies with a status other than 2xx and 3xx, if the driver does not report which.
    static final String STATUS = "status";

    /// Requests that the driver counts as failed for another reason, or without one.
    static final String FAILED = "failed";

    static final String NO_INTENDED_START =
            "intended start: the driver counts response times from the actual send";

    private DriverErrors() {}
}
