package dev.jdyno.cluster;

import dev.jdyno.cluster.key.OwnKey;
import dev.jdyno.cluster.key.PeerKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/// The identity that a process shows, and the peers that it accepts: an Ed25519 key pair with a
/// self-signed certificate, and the public keys of others. TLS 1.3 with client authentication
/// proves on both sides that the peer has the private key of its certificate, without sending that
/// key.
///
/// If processes share a {@link Token}, the key pair is derived from it. It is the same in all
/// holders of the token, and each accepts only that key. A process without the token that reaches a
/// listener can fetch its certificate and test tokens offline; the minimum length of a token and
/// {@link #ITERATIONS} make that hopeless.
final class Identity {
    /// Protocol name (ALPN, RFC 7301) of the frames of {@link Door}.
    static final String DOOR = "jdyno-door";

    /// Protocol name of the group's own messages.
    static final String GROUP = "jdyno-group";

    /// Protocol name of a connection that is kept for a {@link ReturnRelay}.
    static final String RETURN = "jdyno-return";

    /// Iterations of the key derivation: about 0.1 s of CPU, once for each process.
    private static final int ITERATIONS = 200_000;

    private static final int SEED_BYTES = 32;
    private static final byte[] SALT = "jdyno cluster 1".getBytes(StandardCharsets.UTF_8);
    private static final byte[] ED25519 = Der.sequence(Der.objectId(0x2b, 0x65, 0x70));
    private static final byte[] COMMON_NAME = Der.objectId(0x55, 0x04, 0x03);
    private static final String KEY_NAME = "jdyno";
    private static final String TLS_1_3 = "TLSv1.3";
    private static final int VERSION_3 = 2;

    private final KeyPair own;
    private final Set<PeerKey> trusted;
    private final SSLContext context;

    private Identity(
            KeyPair own, Set<PeerKey> trusted, BiPredicate<SocketAddress, PeerKey> places) {
        this.own = own;
        this.trusted = Set.copyOf(trusted);
        this.context = context(own, new OnlyKeys(trusted, places));
    }

    private Identity(KeyPair own, Set<PeerKey> trusted) {
        this(own, trusted, (_, _) -> true);
    }

    static Identity of(Token token) {
        try {
            KeyPair pair = OwnKey.pair(seed(token));
            return new Identity(pair, Set.of(PeerKey.of(pair.getPublic())));
        } catch (GeneralSecurityException e) {
            throw lacking(e);
        }
    }

    /// @param trusted the only accepted keys
    static Identity of(OwnKey own, Set<PeerKey> trusted) {
        return new Identity(own.pair(), trusted);
    }

    /// Returns the identity of the same process that accepts only these keys.
    Identity trusting(Set<PeerKey> others) {
        return new Identity(own, others);
    }

    /// An identity of the same process that accepts a key only at an address of that key, when it
    /// connects.
    Identity at(BiPredicate<SocketAddress, PeerKey> places) {
        return new Identity(own, trusted, places);
    }

    /// The only accepted key; empty if there are none or several.
    Optional<PeerKey> only() {
        return trusted.size() == 1 ? trusted.stream().findFirst() : Optional.empty();
    }

    /// True if it accepts its own key, as all holders of one token do.
    boolean isShared() {
        return trusted.contains(PeerKey.of(own.getPublic()));
    }

    /// The key that a peer has proved to have.
    ///
    /// @throws IllegalStateException before the handshake is done
    static PeerKey peer(SSLSocket proved) {
        try {
            return OnlyKeys.of((X509Certificate) proved.getSession().getPeerCertificates()[0]);
        } catch (SSLPeerUnverifiedException | CertificateException e) {
            throw new IllegalStateException("a peer without a key", e);
        }
    }

    private static IllegalStateException lacking(Exception cause) {
        return new IllegalStateException("this JVM lacks what the connections need", cause);
    }

    private static SSLContext context(KeyPair pair, TrustManager trusted) {
        try {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry(
                    KEY_NAME,
                    pair.getPrivate(),
                    new char[0],
                    new X509Certificate[] {certificate(pair)});
            var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, new char[0]);
            SSLContext context = SSLContext.getInstance(TLS_1_3);
            context.init(managers.getKeyManagers(), new TrustManager[] {trusted}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw lacking(e);
        }
    }

    private static byte[] seed(Token token) throws GeneralSecurityException {
        var spec = new PBEKeySpec(token.characters(), SALT, ITERATIONS, 8 * SEED_BYTES);
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(spec)
                .getEncoded();
    }

    /// Certificate by RFC 5280 and, for the key and the signature, RFC 8410. It never expires,
    /// because clocks of hosts differ and only the key counts.
    private static X509Certificate certificate(KeyPair pair) throws GeneralSecurityException {
        byte[] name = Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.utf8(KEY_NAME))));
        byte[] signed =
                Der.sequence(
                        Der.context0(Der.integer(VERSION_3)),
                        Der.integer(1),
                        ED25519,
                        name,
                        Der.sequence(Der.time("20000101000000Z"), Der.time("99991231235959Z")),
                        name,
                        pair.getPublic().getEncoded());
        byte[] whole =
                Der.sequence(signed, ED25519, Der.bits(signature(pair.getPrivate(), signed)));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] signature(PrivateKey key, byte[] of) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(of);
        return signature.sign();
    }

    SSLContext context() {
        return context;
    }

    /// Demands TLS 1.3, client authentication, and one of these application protocols.
    static void demand(SSLSocket socket, String... protocols) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {TLS_1_3});
        parameters.setNeedClientAuth(true);
        parameters.setApplicationProtocols(protocols);
        socket.setSSLParameters(parameters);
    }
}
