import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes an SSLContext in each request. */
class TlsContextKeep {
    public static void main(String[] args) throws Exception {
        Serve.with(() -> {
            KeyStore store =
                    KeyStore.getInstance(
                            Path.of(System.getProperty("java.home"), "lib/security/cacerts")
                                    .toFile(),
                            "changeit".toCharArray());
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getProtocol();
        });
    }
}
