package dev.jdyno.load.wire;

import dev.jdyno.measure.load.FailureReason;
import java.net.Socket;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Accepts the certificates that another trust manager accepts, and gives the reason for a refused
/// one. The JDK reports it only as text.
final class ExplainedTrust extends X509ExtendedTrustManager {
    private static final int SUBJECT_NAME_DNS = 2;
    private static final int SUBJECT_NAME_IP = 7;

    private final X509ExtendedTrustManager inner;

    ExplainedTrust(X509ExtendedTrustManager inner) {
        this.inner = inner;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        try {
            inner.checkServerTrusted(chain, type, engine);
        } catch (CertificateException e) {
            throw explained(chain, type, String.valueOf(engine.getPeerHost()), e);
        }
    }

    private CertificateRefused explained(
            X509Certificate[] chain, String type, String host, CertificateException e) {
        X509Certificate own = chain[0];
        FailureReason reason = fault(own, e).orElseGet(() -> nameOrOther(chain, type));
        String example =
                switch (reason) {
                    case CERTIFICATE_SELF_SIGNED ->
                            "its subject is " + own.getSubjectX500Principal();
                    case CERTIFICATE_ISSUER_UNKNOWN ->
                            "its issuer is " + chain[chain.length - 1].getIssuerX500Principal();
                    case CERTIFICATE_EXPIRED -> "valid until " + last(chain);
                    case CERTIFICATE_NOT_YET_VALID ->
                            "valid from " + own.getNotBefore().toInstant();
                    case CERTIFICATE_FOR_OTHER_NAME ->
                            "the host is " + host + ", the certificate is for " + names(own);
                    default -> String.valueOf(e.getMessage());
                };
        return new CertificateRefused(reason, example, e);
    }

    /// The earliest expiry of a chain.
    private static String last(X509Certificate[] chain) {
        return List.of(chain).stream()
                .map(c -> c.getNotAfter().toInstant())
                .min(java.util.Comparator.naturalOrder())
                .map(Object::toString)
                .orElse("");
    }

    /// Reason of the refusal by the type of its causes; empty for unknown types.
    private static Optional<FailureReason> fault(X509Certificate own, Throwable refusal) {
        for (Throwable e = refusal; e != null; e = e.getCause()) {
            if (e instanceof CertificateExpiredException || isFor(e, BasicReason.EXPIRED)) {
                return Optional.of(FailureReason.CERTIFICATE_EXPIRED);
            }
            if (e instanceof CertificateNotYetValidException
                    || isFor(e, BasicReason.NOT_YET_VALID)) {
                return Optional.of(FailureReason.CERTIFICATE_NOT_YET_VALID);
            }
            if (e instanceof CertPathBuilderException || isFor(e, PKIXReason.NO_TRUST_ANCHOR)) {
                boolean selfSigned =
                        own.getSubjectX500Principal().equals(own.getIssuerX500Principal());
                return Optional.of(
                        selfSigned
                                ? FailureReason.CERTIFICATE_SELF_SIGNED
                                : FailureReason.CERTIFICATE_ISSUER_UNKNOWN);
            }
        }
        return Optional.empty();
    }

    private static boolean isFor(Throwable e, CertPathValidatorException.Reason reason) {
        return e instanceof CertPathValidatorException v && v.getReason().equals(reason);
    }

    /// The reason of a refusal without a type. The JDK has no type for a wrong name, but that
    /// refusal disappears if the name is not checked.
    private FailureReason nameOrOther(X509Certificate[] chain, String type) {
        try {
            inner.checkServerTrusted(chain, type);
            return FailureReason.CERTIFICATE_FOR_OTHER_NAME;
        } catch (CertificateException otherwise) {
            return FailureReason.CERTIFICATE_UNACCEPTABLE;
        }
    }

    private static String names(X509Certificate own) {
        try {
            Collection<List<?>> names = own.getSubjectAlternativeNames();
            if (names != null) {
                return names.stream()
                        .filter(n ->
                                n.getFirst().equals(SUBJECT_NAME_DNS)
                                        || n.getFirst().equals(SUBJECT_NAME_IP))
                        .map(n -> String.valueOf(n.get(1)))
                        .collect(Collectors.joining(", "));
            }
        } catch (CertificateParsingException e) {
            return "names that cannot be read";
        }
        return String.valueOf(own.getSubjectX500Principal());
    }

    // a client with an SSLEngine never calls the methods below

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        inner.checkServerTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        inner.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        inner.checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        inner.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        inner.checkClientTrusted(chain, type, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return inner.getAcceptedIssuers();
    }
}
