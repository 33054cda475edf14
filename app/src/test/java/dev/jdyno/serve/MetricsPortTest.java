package dev.jdyno.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricsPortTest {
    private static final byte[] GET =
            "GET /metrics HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final MetricsPort port = MetricsPort.open(0, () -> "the page\n# EOF\n");
    private final int number = URI.create(port.url()).getPort();

    @AfterEach
    void close() {
        port.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), number);
    }

    private String answer(String request) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void answersPage() throws IOException {
        String answer = answer("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:" + number + "\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nthe page\n# EOF\n");
        assertThat(answer).contains("Content-Length: 15\r\n", "application/openmetrics-text");
    }

    @ParameterizedTest
    @CsvSource({
        "GET /metrics HTTP/1.0, '', 200",
        "GET /metrics?a=b HTTP/1.1, Host: localhost, 200",
        "GET /metrics HTTP/1.1, host:[::1]:9, 200",
        "GET /metrics HTTP/1.1, Host: evil.example, 403",
        "GET /metrics HTTP/1.1, Host: evil.example:9779, 403",
        "GET / HTTP/1.1, Host: localhost, 404",
        "GET /metrics/../etc HTTP/1.1, Host: localhost, 404",
        "POST /metrics HTTP/1.1, Host: localhost, 404",
        "nonsense, Host: localhost, 404"
    })
    void answersMetricsUnderNamesOfLoopbackOnly(String first, String header, int status)
            throws IOException {
        String head = first + "\r\n" + (header.isEmpty() ? "" : header + "\r\n") + "\r\n";

        assertThat(answer(head)).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void longHeadIsRefused() throws IOException {
        assertThat(answer("GET /metrics HTTP/1.1\r\nA: " + "a".repeat(8180)))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void silentClientsDoNotKeepItFromOthersForLong() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                silent.add(connect());
            }
            String answer = "";
            while (!answer.startsWith("HTTP/1.1 200 ")) {
                try {
                    answer = answer("GET /metrics HTTP/1.1\r\n\r\n");
                } catch (IOException refusedMeanwhile) {
                    answer = "";
                }
            }
            assertThat(answer).endsWith("# EOF\n");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private boolean answersAgain(int at) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at)) {
            socket.getOutputStream().write(GET);
            // the begin of the page is enough
            return new String(socket.getInputStream().readNBytes(13), StandardCharsets.UTF_8)
                    .equals("HTTP/1.1 200 ");
        } catch (IOException refusedMeanwhile) {
            return false;
        }
    }

    /// The page is larger than all buffers on the way to a client that does not read.
    @Test
    void clientsThatDoNotReadAreCutOff() throws IOException {
        var nanos = new AtomicLong();
        var page = "a".repeat(16 << 20);
        List<Socket> clients = new ArrayList<>();
        try (MetricsPort large = MetricsPort.open(0, () -> page, nanos::get)) {
            int at = URI.create(large.url()).getPort();
            for (int i = 0; i < 8; i++) {
                var socket = new Socket();
                clients.add(socket);
                socket.setReceiveBufferSize(64 << 10);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
                socket.getOutputStream().write(GET);
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }
            assertThat(answersAgain(at)).as("before the limit").isFalse();

            nanos.set(MetricsPort.LIMIT.toNanos());

            Eventually.until("others are answered", () -> answersAgain(at));
        } finally {
            for (Socket socket : clients) {
                socket.close();
            }
        }
    }

    @Test
    void usedPortIsUsersError() {
        assertThatThrownBy(() -> MetricsPort.open(number, () -> ""))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.kind()).isEqualTo(UserError.Kind.USAGE));
    }
}
