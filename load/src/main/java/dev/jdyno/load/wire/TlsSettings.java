package dev.jdyno.load.wire;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/// Settings of TLS connections.
///
/// @param insecure true to accept any certificate for any name
/// @param caFile PEM file of certificates to trust instead of the JVM's
public record TlsSettings(boolean insecure, Optional<Path> caFile) {
    public static final String HTTP_1_1 = "http/1.1";
    public static final String HTTP_2 = "h2";

    public static final TlsSettings DEFAULT = new TlsSettings(false, Optional.empty());

    /// A context for all connections of a session, so that TLS sessions are resumed, as in
    /// browsers.
    ///
    /// @throws UserError of kind usage if the file of certificates cannot be used
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw UserError.target("cannot use TLS", e.toString(), "check the JVM's providers")
                    .causedBy(e);
        }
    }

    private TrustManager[] trust() throws GeneralSecurityException {
        if (insecure) {
            return new TrustManager[] {new TrustEverybody()};
        }
        if (caFile.isEmpty()) {
            return defaultTrust(null);
        }
        return defaultTrust(keyStore(caFile.get()));
    }

    private static TrustManager[] defaultTrust(@org.jspecify.annotations.Nullable KeyStore anchors)
            throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(anchors);
        TrustManager[] managers = factory.getTrustManagers();
        for (int i = 0; i < managers.length; i++) {
            if (managers[i] instanceof X509ExtendedTrustManager inner) {
                managers[i] = new ExplainedTrust(inner);
            }
        }
        return managers;
    }

    private static KeyStore keyStore(Path file) throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException("cannot make an empty key store", e);
        }
        int n = 0;
        for (Certificate c : PemCertificates.read(file)) {
            store.setCertificateEntry("ca-" + n++, c);
        }
        return store;
    }

    /// A client engine that sends the host name (SNI) and checks that the certificate is for it.
    ///
    /// @param protocol the only application protocol that is offered (ALPN)
    public SSLEngine engine(SSLContext context, String host, int port, String protocol) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (host.chars().anyMatch(Character::isLetter) && !host.contains(":")) {
            parameters.setServerNames(List.of(new SNIHostName(host)));
        }
        if (!insecure) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        parameters.setApplicationProtocols(new String[] {protocol});
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static final class TrustEverybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
