package dev.jdyno.lab.downstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.lab.service.CannotStart;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelayServerTest {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<DelayServer> started = new ArrayList<>();

    @AfterEach
    void stop() throws IOException {
        for (DelayServer server : started) {
            server.close();
        }
    }

    @Test
    void delayedReplyIsNeverEarly() {
        int port = start(Integer.MAX_VALUE);

        long before = System.nanoTime();
        get(port, "/wait?ms=60").join();

        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(60_000_000);
    }

    @Test
    void delaysManyRequestsAtTheSameTime() {
        int port = start(Integer.MAX_VALUE);

        double millis = millisForAll(port, 40, 150);

        assertThat(millis).as("40 waits of 150 ms at once").isBetween(150.0, 40 * 150.0);
    }

    @Test
    void requestsBeyondSlotsWait() {
        int port = start(2);

        double millis = millisForAll(port, 10, 40);

        assertThat(millis).isGreaterThanOrEqualTo(10 * 40 / 2.0);
    }

    @Test
    void sendsTheRequestedNumberOfBytes() {
        int port = start(1);

        assertThat(get(port, "/wait?bytes=5000000").join().body()).hasSize(5_000_000);
        assertThat(get(port, "/wait?bytes=0").join().body()).isEmpty();
        assertThat(get(port, "/wait?bytes=100").join().body()).hasSize(100);
    }

    @Test
    void answersRequestsSentTogetherOneAfterAnother() throws IOException {
        int port = start(1);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String one = "GET /wait?ms=1&bytes=1 HTTP/1.1\r\n";
            String last = one + "Connection: close\r\n\r\n";
            socket.getOutputStream()
                    .write((one + "\r\n" + one + "\r\n" + last).getBytes(StandardCharsets.UTF_8));

            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(all.split("HTTP/1.1 200 OK")).hasSize(4);
        }
    }

    @Test
    void continuesWhenAClientCloses() throws IOException {
        int port = start(1);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET /wait?ms=20 HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(get(port, "/wait?ms=1").join().statusCode()).isEqualTo(200);
    }

    @Test
    void reportsPortInUse() {
        int port = start(1);

        assertThatThrownBy(() -> DelayServer.bind("127.0.0.1", port, 1))
                .isInstanceOf(CannotStart.class)
                .hasMessageContaining("cannot listen on 127.0.0.1:" + port)
                .hasMessageContaining("--port 0");
    }

    @Test
    void refusesZeroSlots() {
        assertThatThrownBy(() -> DelayServer.bind("127.0.0.1", 0, 0))
                .isInstanceOf(CannotStart.class);
    }

    private int start(int slots) {
        try {
            DelayServer server = DelayServer.bind("127.0.0.1", 0, slots);
            started.add(server);
            Thread thread = new Thread(() -> run(server), "downstream");
            thread.setDaemon(true);
            thread.start();
            return server.port();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void run(DelayServer server) {
        try {
            server.run();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private double millisForAll(int port, int requests, int delayMillis) {
        long before = System.nanoTime();
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            all.add(get(port, "/wait?ms=" + delayMillis));
        }
        all.forEach(CompletableFuture::join);
        return (System.nanoTime() - before) / 1e6;
    }

    private CompletableFuture<HttpResponse<byte[]>> get(int port, String target) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target)).build(),
                BodyHandlers.ofByteArray());
    }
}
