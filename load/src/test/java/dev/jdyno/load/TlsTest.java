package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The JDK's own HTTPS server with a certificate for `shop.test` that the test creates.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsTest {
    private Path folder;
    private HttpsServer server;
    private Path ca;

    @BeforeAll
    void startServer(@TempDir Path temporary)
            throws IOException, GeneralSecurityException, InterruptedException {
        folder = temporary;
        ServerKeys keys = ServerKeys.in(folder);
        ca = keys.ca();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.managers().getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext(
                "/",
                exchange -> {
                    int size = exchange.getRequestURI().getPath().equals("/big") ? 300_000 : 2;
                    exchange.sendResponseHeaders(200, size);
                    exchange.getResponseBody().write(new byte[size]);
                    exchange.close();
                });
        server.start();
    }

    @AfterAll
    void stopServer() {
        server.stop(0);
    }

    private LoadWindow load(String host, String path, TlsSettings tls, Transport transport) {
        URI url = URI.create("https://" + host + ":" + server.getAddress().getPort() + path);
        LoadSpec spec =
                LoadSpec.to(url)
                        .loops(1)
                        .tls(tls)
                        // the first handshake of a JVM is slow
                        .connectTimeout(Duration.ofMinutes(1))
                        .mostRequests(40)
                        .transport(transport)
                        .resolve("shop.test", InetAddress.getLoopbackAddress())
                        .resolve("other.test", InetAddress.getLoopbackAddress())
                        .build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(2, Duration.ZERO));
            LoadWindow sum = Taken.until(session, w -> session.isFinished() || w.errors() >= 2);
            return sum.plus(session.take());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/big"})
    void loadsTrustedServerAndTimesHandshakesSeparately(String path) {
        LoadWindow w =
                load("shop.test", path, new TlsSettings(false, Optional.of(ca)), Transport.AUTO);

        assertThat(w.failures()).isEmpty();
        assertThat(w.requests()).isEqualTo(40);
        assertThat(w.handshakeNanos().getTotalCount()).isEqualTo(2);
        assertThat(w.handshakeNanos().getMinValue()).isPositive();
        assertThat(w.connectNanos().getTotalCount()).isEqualTo(2);
    }

    @Test
    void theFallbackTransportSpeaksTlsToo() {
        LoadWindow w =
                load("shop.test", "/big", new TlsSettings(false, Optional.of(ca)), Transport.NIO);

        assertThat(w.requests()).isEqualTo(40);
    }

    @Test
    void aCertificateForAnotherNameIsRefused() {
        LoadWindow w =
                load("other.test", "/", new TlsSettings(false, Optional.of(ca)), Transport.AUTO);

        assertThat(w.requests()).isZero();
        assertThat(w.errorKinds()).containsOnlyKeys("tls");
        assertThat(w.failures().getFirst().reason())
                .isEqualTo(FailureReason.CERTIFICATE_FOR_OTHER_NAME);
        assertThat(w.failures().getFirst().example().orElseThrow())
                .contains("other.test", "shop.test");
    }

    @Test
    void anUnknownCertificateIsRefusedUnlessInsecure() {
        LoadWindow refused = load("shop.test", "/", TlsSettings.DEFAULT, Transport.AUTO);
        LoadWindow taken =
                load("other.test", "/", new TlsSettings(true, Optional.empty()), Transport.AUTO);

        assertThat(refused.errorKinds()).containsOnlyKeys("tls");
        assertThat(refused.failures().getFirst().reason())
                .isEqualTo(FailureReason.CERTIFICATE_SELF_SIGNED);
        assertThat(refused.failures().getFirst().count()).isEqualTo(refused.errors());
        assertThat(taken.requests()).isEqualTo(40);
        assertThat(taken.errors()).isZero();
    }

    @Test
    void reportsFileWithoutCertificates() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "nothing");

        assertThatThrownBy(() ->
                        load(
                                "shop.test",
                                "/",
                                new TlsSettings(false, Optional.of(empty)),
                                Transport.AUTO))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("empty.pem");
    }
}
