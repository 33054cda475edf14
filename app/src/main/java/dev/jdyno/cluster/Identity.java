package dev.jdyno.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/// What a holder of the token shows and accepts: one Ed25519 key pair that is derived from the
/// token, and its self-signed certificate, which is therefore the same, byte for byte, in every
/// process that holds it. TLS 1.3 with client authentication then proves on both sides that the
/// peer knows the token, without sending anything of it.
///
/// Whoever reaches a listener can fetch the certificate and try tokens against it at home; the
/// least length of a {@link Token} and {@link #ITERATIONS} make that hopeless.
final class Identity {
    /// What a frame of the door (see {@link Door}) is spoken over (ALPN, RFC 7301).
    static final String DOOR = "jdyno-door";

    /// What the group's protocol is spoken over.
    static final String GROUP = "jdyno-group";

    /// Some 0.1 s of CPU, once for each process.
    private static final int ITERATIONS = 200_000;

    private static final int SEED_BYTES = 32;
    private static final byte[] SALT = "jdyno cluster 1".getBytes(StandardCharsets.UTF_8);
    private static final byte[] ED25519 = Der.sequence(Der.objectId(0x2b, 0x65, 0x70));
    private static final byte[] COMMON_NAME = Der.objectId(0x55, 0x04, 0x03);
    private static final String KEY_NAME = "jdyno";
    private static final String TLS_1_3 = "TLSv1.3";
    private static final int VERSION_3 = 2;

    private final SSLContext context;

    private Identity(SSLContext context) {
        this.context = context;
    }

    static Identity of(Token token) {
        try {
            KeyPair pair = pair(seed(token));
            X509Certificate certificate = certificate(pair);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry(
                    KEY_NAME, pair.getPrivate(), new char[0], new X509Certificate[] {certificate});
            var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, new char[0]);
            SSLContext context = SSLContext.getInstance(TLS_1_3);
            context.init(
                    managers.getKeyManagers(),
                    new TrustManager[] {new OnlyCertificate(certificate)},
                    null);
            return new Identity(context);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM lacks what the connections need", e);
        }
    }

    private static byte[] seed(Token token) throws GeneralSecurityException {
        var spec = new PBEKeySpec(token.characters(), SALT, ITERATIONS, 8 * SEED_BYTES);
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(spec)
                .getEncoded();
    }

    /// The key pair of a seed (RFC 8032, 5.1.5). The JDK has no other way to the public key than to
    /// generate a pair, for which it draws the seed.
    static KeyPair pair(byte[] seed) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
        generator.initialize(NamedParameterSpec.ED25519, new Drawn(seed));
        KeyPair pair = generator.generateKeyPair();
        byte[] drawn = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
        if (!Arrays.equals(drawn, seed)) {
            throw new GeneralSecurityException("this JVM makes keys in another way");
        }
        return pair;
    }

    private static final class Drawn extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] seed;

        Drawn(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    /// RFC 5280 and, for the key and the signature, RFC 8410. It never expires: clocks of hosts
    /// differ, and who holds the token decides alone.
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

    /// TLS 1.3 only, client authentication, these application protocols.
    static void demand(SSLSocket socket, String... protocols) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {TLS_1_3});
        parameters.setNeedClientAuth(true);
        parameters.setApplicationProtocols(protocols);
        socket.setSSLParameters(parameters);
    }
}
