package dev.jdyno.cluster;

import dev.jdyno.cluster.key.PeerKey;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Trusts certificates of these keys and no others, whatever name, issuer or date they have: the
/// handshake proves that the peer has the private one.
final class OnlyKeys extends X509ExtendedTrustManager {
    private final Set<PeerKey> keys;

    OnlyKeys(Set<PeerKey> keys) {
        this.keys = Set.copyOf(keys);
    }

    /// The peer is another one, as its certificate says.
    static final class Another extends CertificateException {
        private static final long serialVersionUID = 1L;

        private final String shown;

        Another(PeerKey shown) {
            super("the peer has another key");
            this.shown = shown.text();
        }

        PeerKey shown() {
            return new PeerKey(shown);
        }
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length != 1) {
            throw new CertificateException("a chain of " + chain.length + " certificates");
        }
        PeerKey shown = of(chain[0]);
        if (!keys.contains(shown)) {
            throw new Another(shown);
        }
    }

    /// @throws CertificateException when its key is of another algorithm
    static PeerKey of(X509Certificate certificate) throws CertificateException {
        try {
            return PeerKey.of(certificate.getPublicKey());
        } catch (IllegalArgumentException e) {
            throw new CertificateException(e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    /// None is named: all certificates of ours have the same issuer.
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
