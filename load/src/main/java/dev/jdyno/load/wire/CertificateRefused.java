package dev.jdyno.load.wire;

import dev.jdyno.measure.load.FailureReason;
import java.security.cert.CertificateException;

/// The reason why a server's certificate was not accepted.
final class CertificateRefused extends CertificateException {
    private static final long serialVersionUID = 1L;

    private final FailureReason reason;
    private final String example;

    /// @param example the part of the certificate that shows it
    CertificateRefused(FailureReason reason, String example, CertificateException cause) {
        super(reason.key(), cause);
        this.reason = reason;
        this.example = example;
    }

    FailureReason reason() {
        return reason;
    }

    String example() {
        return example;
    }
}
