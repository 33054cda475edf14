package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;

/// A key and a self-signed certificate for `shop.test`.
///
/// @param managers for a server
/// @param ca the certificate as PEM, for clients that trust it
public record ServerKeys(KeyManagerFactory managers, Path ca) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    /// @param folder for the files
    public static ServerKeys in(Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path store = folder.resolve("server.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-alias",
                                "server",
                                "-dname",
                                "CN=shop.test",
                                "-ext",
                                "SAN=dns:shop.test",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                "changeit")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        String pem =
                Base64.getMimeEncoder().encodeToString(keys.getCertificate("server").getEncoded());
        Path ca =
                Files.writeString(
                        folder.resolve("ca.pem"),
                        "-----BEGIN CERTIFICATE-----\n" + pem + "\n-----END CERTIFICATE-----\n");
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        return new ServerKeys(managers, ca);
    }
}
