package dev.jdyno.driver;

/// Words that several readers share.
final class DriverErrors {
    /// Replies with a status other than 2xx and 3xx, where the driver does not say which.
    static final String STATUS = "status";

    /// Requests that the driver counts as failed for another reason, or for none that it names.
    static final String FAILED = "failed";

    static final String NO_INTENDED_START =
            "intended start: the driver counts response times from the actual send";

    private DriverErrors() {}
}
