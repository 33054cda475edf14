package dev.jdyno.load.wire;

import dev.jdyno.measure.load.ErrorKind;
import dev.jdyno.measure.load.FailureReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/// Finds out why TLS failed: from the refusal of the certificate, from bytes that are no TLS
/// record, or from the server's alert.
final class TlsFailures {
    /// Text before the alert's name in the message of the exception. The JDK gives the name nowhere
    /// else; from TLS 1.3 on, an alert is mostly encrypted.
    private static final String ALERT = "Received fatal alert: ";

    /// Content types of a record (RFC 8446 §5.1): change_cipher_spec to application_data.
    private static final int FIRST_RECORD_TYPE = 20;

    private static final int LAST_RECORD_TYPE = 23;

    private TlsFailures() {}

    /// @param unread the received bytes that were not understood
    static SocketFailure of(SSLException e, ByteBuffer unread, SSLEngine engine) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateRefused refused) {
                return new SocketFailure(ErrorKind.TLS, refused.reason(), refused.example());
            }
        }
        String message = String.valueOf(e.getMessage());
        if (unread.hasRemaining() && !isRecord(unread)) {
            return notTls(unread);
        }
        int alert = message.indexOf(ALERT);
        if (alert >= 0) {
            return alert(message.substring(alert + ALERT.length()), engine);
        }
        return new SocketFailure(ErrorKind.TLS, ownRefusal(message), message);
    }

    /// The reason why the JDK refused the choice in a ServerHello. Such a refusal has neither a
    /// type nor an alert.
    private static FailureReason ownRefusal(String message) {
        if (message.contains("protocol version")) {
            return FailureReason.TLS_VERSION;
        }
        return message.contains("ciphersuite")
                ? FailureReason.TLS_NO_COMMON_CIPHER
                : FailureReason.TLS_BROKEN;
    }

    private static boolean isRecord(ByteBuffer unread) {
        int type = unread.get(unread.position());
        return type >= FIRST_RECORD_TYPE && type <= LAST_RECORD_TYPE;
    }

    private static SocketFailure notTls(ByteBuffer unread) {
        byte[] start = new byte[Math.min(unread.remaining(), Excerpt.LONGEST)];
        unread.get(unread.position(), start);
        String text = new String(start, StandardCharsets.ISO_8859_1);
        boolean http = text.startsWith("HTTP/");
        // the fields after the status line contain no information about TLS
        return new SocketFailure(
                ErrorKind.TLS,
                http ? FailureReason.TLS_PORT_SPEAKS_HTTP : FailureReason.TLS_NOT_SPOKEN,
                http ? text.lines().findFirst().orElse("") : text);
    }

    /// @param name name of the alert in RFC 8446 §6
    private static SocketFailure alert(String name, SSLEngine engine) {
        FailureReason reason =
                switch (name) {
                    case "protocol_version" -> FailureReason.TLS_VERSION;
                    case "handshake_failure", "insufficient_security" ->
                            FailureReason.TLS_NO_COMMON_CIPHER;
                    case "unrecognized_name" -> FailureReason.TLS_NAME_UNKNOWN;
                    case "certificate_required", "no_certificate", "bad_certificate" ->
                            FailureReason.CLIENT_CERTIFICATE_WANTED;
                    case "no_application_protocol" ->
                            offersHttp2(engine)
                                    ? FailureReason.TLS_WITHOUT_HTTP2
                                    : FailureReason.TLS_ALERT;
                    default -> FailureReason.TLS_ALERT;
                };
        return new SocketFailure(ErrorKind.TLS, reason, "the alert " + name);
    }

    private static boolean offersHttp2(SSLEngine engine) {
        return List.of(engine.getSSLParameters().getApplicationProtocols())
                .contains(TlsSettings.HTTP_2);
    }
}
