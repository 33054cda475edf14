package dev.jdyno.cluster;

import dev.jdyno.cluster.key.PeerKey;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.function.BiPredicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Trusts certificates of these keys and no others, whatever their name, issuer or date. The
/// handshake proves that the peer has the private key.
final class OnlyKeys extends X509ExtendedTrustManager {
    private final Set<PeerKey> keys;
    private final BiPredicate<SocketAddress, PeerKey> places;

    /// @param places whether a key may listen at an address that this process connects to
    OnlyKeys(Set<PeerKey> keys, BiPredicate<SocketAddress, PeerKey> places) {
        this.keys = Set.copyOf(keys);
        this.places = places;
    }

    /// The peer's certificate has another key.
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

    private PeerKey check(X509Certificate[] chain) throws CertificateException {
        if (chain.length != 1) {
            throw new CertificateException("a chain of " + chain.length + " certificates");
        }
        PeerKey shown = of(chain[0]);
        if (!keys.contains(shown)) {
            throw new Another(shown);
        }
        return shown;
    }

    /// @throws CertificateException if its key is of another algorithm
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
        PeerKey _ = check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        PeerKey _ = check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        PeerKey _ = check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        PeerKey shown = check(chain);
        if (!places.test(socket.getRemoteSocketAddress(), shown)) {
            throw new Another(shown);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        PeerKey _ = check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        PeerKey _ = check(chain);
    }

    /// Returns no issuer, because all of jdyno's certificates have the same issuer.
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
