package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.wire.Excerpt;
import dev.jdyno.load.wire.TlsSettings;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.FailureCount;
import dev.jdyno.measure.load.FailureReason;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Reasons of failed TLS handshakes, with real certificates and with servers that send something
/// else.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsFailuresTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private Path folder;
    private final List<HttpsServer> servers = new ArrayList<>();

    @BeforeAll
    void makeAnAuthority(@TempDir Path temporary) throws Exception {
        folder = temporary;
        keytool("-genkeypair", "-alias", "ca", "-dname", "CN=our-ca", "-ext", "bc:c=ca:true");
        keytool("-exportcert", "-rfc", "-alias", "ca", "-file", path("ca.pem"));
    }

    @AfterAll
    void stopServers() {
        servers.forEach(s -> s.stop(0));
    }

    private String path(String file) {
        return folder.resolve(file).toString();
    }

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        words.addAll(List.of(arguments));
        words.addAll(List.of("-keystore", path("all.p12"), "-storepass", "changeit"));
        if (arguments[0].equals("-genkeypair")) {
            words.addAll(List.of("-keyalg", "EC"));
        }
        Process process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("keytool.log").toFile())
                        .start();
        assertThat(process.waitFor()).as(String.join(" ", words)).isZero();
    }

    /// Starts a server with a certificate signed by the test's own authority.
    ///
    /// @param start of its validity, relative to now, in keytool's notation
    private int signed(String alias, String start, int days) throws Exception {
        keytool(
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                "CN=shop.test",
                "-ext",
                "SAN=dns:shop.test",
                "-startdate",
                start,
                "-validity",
                Integer.toString(days),
                "-signer",
                "ca");
        KeyStore all = KeyStore.getInstance(folder.resolve("all.p12").toFile(), PASSWORD);
        KeyStore one = KeyStore.getInstance("PKCS12");
        one.load(null, null);
        one.setKeyEntry(
                alias, all.getKey(alias, PASSWORD), PASSWORD, all.getCertificateChain(alias));
        return serve(one);
    }

    private int serve(KeyStore keys) throws GeneralSecurityException, IOException {
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        server.start();
        servers.add(server);
        return server.getAddress().getPort();
    }

    private TlsSettings trustingOurs() {
        return new TlsSettings(false, Optional.of(folder.resolve("ca.pem")));
    }

    /// Long enough for the first handshake of a JVM on a busy machine.
    private static LoadWindow load(int port, TlsSettings tls) {
        return load(port, tls, Duration.ofMinutes(1));
    }

    private static LoadWindow load(int port, TlsSettings tls, Duration connectTimeout) {
        LoadSpec spec =
                LoadSpec.to(URI.create("https://shop.test:" + port + "/"))
                        .loops(1)
                        .tls(tls)
                        .connectTimeout(connectTimeout)
                        .resolve("shop.test", InetAddress.getLoopbackAddress())
                        .build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(1, Duration.ZERO));
            return Taken.until(session, w -> w.errors() + w.requests() >= 1);
        }
    }

    private static FailureCount onlyFailure(LoadWindow w) {
        assertThat(w.requests()).isZero();
        assertThat(w.failures()).hasSize(1);
        FailureCount failure = w.failures().getFirst();
        assertThat(failure.count()).isEqualTo(w.errors());
        failure.example()
                .ifPresent(e ->
                        assertThat(e).matches("[ -~]*").hasSizeLessThanOrEqualTo(Excerpt.LONGEST));
        return failure;
    }

    @ParameterizedTest
    @CsvSource({
        "good, -1d, 30, true, ",
        "expired, -30d, 10, true, CERTIFICATE_EXPIRED",
        "future, +10d, 30, true, CERTIFICATE_NOT_YET_VALID",
        "unknown, -1d, 30, false, CERTIFICATE_ISSUER_UNKNOWN",
    })
    void explainsRefusedCertificate(
            String alias,
            String start,
            int days,
            boolean trusted,
            @org.jspecify.annotations.Nullable FailureReason reason)
            throws Exception {
        int port = signed(alias, start, days);

        LoadWindow w = load(port, trusted ? trustingOurs() : TlsSettings.DEFAULT);

        if (reason == null) {
            assertThat(w.errors()).isZero();
        } else {
            assertThat(onlyFailure(w).kind()).isEqualTo("tls");
            assertThat(onlyFailure(w).reason()).isEqualTo(reason);
            assertThat(onlyFailure(w).example()).isPresent();
        }
    }

    private static Arguments said(String hex, String text, String kind, FailureReason reason) {
        byte[] a = HexFormat.of().parseHex(hex.replace(" ", ""));
        byte[] b = text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        byte[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return Arguments.of(all, kind, reason);
    }

    /// A server's answers to the first bytes of a handshake.
    static Stream<Arguments> answers() {
        return Stream.of(
                said("15 0303 0002 02 46", "", "tls", FailureReason.TLS_VERSION),
                said("15 0303 0002 02 28", "", "tls", FailureReason.TLS_NO_COMMON_CIPHER),
                said("15 0303 0002 02 47", "", "tls", FailureReason.TLS_NO_COMMON_CIPHER),
                said("15 0303 0002 02 70", "", "tls", FailureReason.TLS_NAME_UNKNOWN),
                said("15 0303 0002 02 74", "", "tls", FailureReason.CLIENT_CERTIFICATE_WANTED),
                said("15 0303 0002 02 50", "", "tls", FailureReason.TLS_ALERT),
                // a ServerHello of TLS 1.0
                said(
                        "16 0301 002a 02 000026 0301" + "00".repeat(32) + "00 c02f 00",
                        "",
                        "tls",
                        FailureReason.TLS_VERSION),
                said(
                        "",
                        "HTTP/1.1 400 Bad Request\r\nSet-Cookie: id=secret\r\n\r\n",
                        "tls",
                        FailureReason.TLS_PORT_SPEAKS_HTTP),
                said("", "<html>\u001b[2J", "tls", FailureReason.TLS_NOT_SPOKEN),
                said("", "SSH-2.0-OpenSSH_9.6\r\n", "tls", FailureReason.TLS_NOT_SPOKEN),
                said("", "", "tls", FailureReason.TLS_HANDSHAKE_CLOSED));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void reportsPlainTextReplyAsReason(byte[] answer, String kind, FailureReason reason)
            throws IOException {
        try (var server = new Answering(answer, false)) {
            FailureCount failure = onlyFailure(load(server.port(), TlsSettings.DEFAULT));

            assertThat(failure.kind()).as("%s", failure).isEqualTo(kind);
            assertThat(failure.reason()).as("%s", failure).isEqualTo(reason);
            assertThat(failure.example().orElse("")).doesNotContain("secret");
        }
    }

    @Test
    void resetDuringHandshakeDiffersFromALaterReset() throws IOException {
        try (var server = new Answering(new byte[0], true)) {
            FailureCount failure = onlyFailure(load(server.port(), TlsSettings.DEFAULT));

            assertThat(failure.kind()).isEqualTo("reset");
            assertThat(failure.reason()).isEqualTo(FailureReason.TLS_HANDSHAKE_RESET);
        }
    }

    @Test
    void distinguishesSilentServerFromRefusedConnection() throws IOException {
        try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            FailureCount failure =
                    onlyFailure(
                            load(
                                    silent.getLocalPort(),
                                    TlsSettings.DEFAULT,
                                    Duration.ofSeconds(3)));

            assertThat(failure.kind()).isEqualTo("connect-timeout");
            assertThat(failure.reason()).isEqualTo(FailureReason.TLS_HANDSHAKE_UNANSWERED);
        }
    }

    /// Endless change_cipher_spec records, which TLS 1.3 ignores.
    @Test
    void aHandshakeOfEmptyRecordsEnds() throws IOException {
        byte[] many = HexFormat.of().parseHex("140303000101".repeat(100_000));
        try (var server = new Answering(many, false)) {
            FailureCount failure = onlyFailure(load(server.port(), TlsSettings.DEFAULT));

            assertThat(failure.kind()).isIn("tls", "reset");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "missing.pem, ",
        "empty.pem, ''",
        "text.pem, nothing here",
        "key.pem, '-----BEGIN PRIVATE KEY-----|AAAA|-----END PRIVATE KEY-----|'",
        "cut.pem, '-----BEGIN CERTIFICATE-----|AAAA'",
        "broken.pem, '-----BEGIN CERTIFICATE-----|%%%|-----END CERTIFICATE-----|'",
        "der.pem, '0\u0082\u0001\u0002'",
    })
    void fileThatIsNoCertificateBundleIsAUsageError(
            String name, @org.jspecify.annotations.Nullable String content) throws IOException {
        Path file = folder.resolve(name);
        if (content != null) {
            Files.writeString(
                    file, content.replace("|", "\n"), java.nio.charset.StandardCharsets.ISO_8859_1);
        }

        assertMistake(file);
    }

    @Test
    void folderIsNoCertificateBundle() {
        assertMistake(folder);
    }

    private static void assertMistake(Path file) {
        assertThatThrownBy(() -> new TlsSettings(false, Optional.of(file)).context())
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE);
                            assertThat(e.what()).contains(file.toString());
                            assertThat(e.why()).isNotBlank().doesNotContain("java.");
                            assertThat(e.fix()).isNotBlank();
                        });
    }

    @Test
    void bundleOfSeveralCertificatesWithTextBetweenIsRead() throws Exception {
        String ours = Files.readString(folder.resolve("ca.pem"));
        Path bundle = folder.resolve("bundle.pem");
        Files.writeString(
                bundle, "# first\r\n" + ours.replace("\n", "\r\n") + "\n# again\n" + ours);
        int port = signed("bundled", "-1d", 30);

        LoadWindow w = load(port, new TlsSettings(false, Optional.of(bundle)));

        assertThat(w.errors()).isZero();
    }

    /// A server that reads, sends an answer, and closes or resets the connection.
    private static final class Answering implements AutoCloseable {
        private final ServerSocket listener =
                new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final byte[] answer;
        private final boolean reset;

        Answering(byte[] answer, boolean reset) throws IOException {
            this.answer = answer;
            this.reset = reset;
            Thread.ofPlatform().daemon().start(this::run);
        }

        int port() {
            return listener.getLocalPort();
        }

        private void run() {
            while (!listener.isClosed()) {
                try (Socket socket = listener.accept()) {
                    byte[] hello = new byte[4096];
                    if (socket.getInputStream().read(hello) > 0) {
                        socket.getOutputStream().write(answer);
                    }
                    if (reset) {
                        socket.setSoLinger(true, 0);
                    } else {
                        socket.shutdownOutput();
                        socket.getInputStream().readAllBytes();
                    }
                } catch (IOException clientGone) {
                    // The load ended or the client closed first. The next connection is served.
                }
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
