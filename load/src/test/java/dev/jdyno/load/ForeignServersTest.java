package dev.jdyno.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.load.wire.Transport;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.FreePort;
import dev.jdyno.measure.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests with third-party servers. Each is skipped with a message if its server is not installed.
class ForeignServersTest {
    @TempDir Path folder;

    private @Nullable Process server;
    private int port;

    @AfterEach
    void stopServer() throws InterruptedException {
        if (server != null) {
            server.destroy();
            assertThat(server.waitFor(5, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static String installed(String name) {
        String found =
                Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin")
                        .map(dir -> Path.of(dir, name))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst()
                        .orElse("");
        assumeTrue(!found.isEmpty(), name + " is not installed: not tested against it");
        return found;
    }

    private void start(List<String> command) throws IOException {
        Process started =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("server.log").toFile())
                        .start();
        server = started;
        Eventually.until(
                () -> command + " to listen",
                () -> {
                    assertThat(started.isAlive()).as("%s runs", command).isTrue();
                    return listens();
                });
    }

    private boolean listens() {
        try (var _ = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private LoadWindow load(String method, String path, Transport transport) {
        LoadSpec spec =
                LoadSpec.to(URI.create("http://127.0.0.1:" + port + path))
                        .loops(1)
                        .method(method)
                        .transport(transport)
                        .mostRequests(100)
                        .build();
        try (var session = LoadSession.start(spec, NanoClock.SYSTEM)) {
            session.apply(new Level.Closed(3, Duration.ZERO));
            return Taken.all(session);
        }
    }

    private void assertServes(String method, String path, int status) {
        for (var transport : List.of(Transport.AUTO, Transport.NIO)) {
            LoadWindow w = load(method, path, transport);
            assertThat(w.statuses())
                    .as("%s %s over %s, %s", method, path, transport, w.failures())
                    .containsOnlyKeys(status);
            assertThat(w.requests() + w.errors()).isEqualTo(100);
            assertThat(w.errors()).isEqualTo(status < 400 ? 0 : 100);
        }
    }

    @Test
    void readsNginxRepliesWithoutBodyAndClosedConnections() throws IOException {
        String nginx = installed("nginx");
        port = FreePort.get();
        Files.write(folder.resolve("big.bin"), new byte[500_000]);
        Path conf = folder.resolve("nginx.conf");
        Files.writeString(
                conf,
                """
                daemon off; master_process off; pid DIR/pid; error_log DIR/error.log;
                events { worker_connections 64; }
                http { access_log off; keepalive_requests 7;
                  client_body_temp_path DIR/b; proxy_temp_path DIR/p; fastcgi_temp_path DIR/f;
                  uwsgi_temp_path DIR/u; scgi_temp_path DIR/s;
                  server { listen 127.0.0.1:PORT; root DIR;
                    location /none { return 204; } location /same { return 304; }
                    location /moved { return 302 /; } location /bad { return 503; } } }
                """
                        .replace("DIR", folder.toString())
                        .replace("PORT", Integer.toString(port)));
        start(List.of(nginx, "-e", folder.resolve("e.log").toString(), "-c", conf.toString()));

        assertServes("GET", "/big.bin", 200);
        assertServes("HEAD", "/big.bin", 200);
        assertServes("GET", "/none", 204);
        assertServes("GET", "/same", 304);
        assertServes("GET", "/moved", 302);
        assertServes("GET", "/bad", 503);
    }

    @Test
    void readsNodeRepliesWithChunksInterimRepliesAndLargeHeads() throws IOException {
        String node = installed("node");
        port = FreePort.get();
        Path script = folder.resolve("server.js");
        Files.writeString(
                script,
                """
                require('http').createServer((q, r) => {
                  if (q.url === '/early') r.writeEarlyHints && r.writeProcessing();
                  if (q.url === '/head') r.setHeader('X-Large', 'y'.repeat(12000));
                  r.write('one'); setImmediate(() => { r.write('two'.repeat(9000)); r.end(); });
                }).listen(PORT, '127.0.0.1');
                """
                        .replace("PORT", Integer.toString(port)));
        start(List.of(node, script.toString()));

        assertServes("GET", "/", 200);
        assertServes("HEAD", "/", 200);
        assertServes("GET", "/early", 200);
        assertServes("GET", "/head", 200);
    }

    @Test
    void readsRepliesOfPythonThatClosesAfterEachReply() throws IOException {
        String python = installed("python3");
        port = FreePort.get();
        start(List.of(python, "-m", "http.server", Integer.toString(port), "--bind", "127.0.0.1"));

        assertServes("GET", "/", 200);
        assertServes("GET", "/missing", 404);
    }
}
