package dev.jdyno.observe.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.measure.FreePort;
import dev.jdyno.measure.thread.LayerLimit;
import dev.jdyno.measure.thread.LayerLimit.Kind;
import dev.jdyno.observe.sockets.Sockets;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.TomcatVictim;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real nginx, Apache httpd or HAProxy in front of a real Tomcat.
@Timeout(300)
class FrontServersTest {
    private static final ProcFs PROC = ProcFs.SYSTEM;
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    @TempDir Path folder;

    private static String nginx() {
        Path binary = Path.of("/usr/sbin/nginx");
        assumeTrue(Files.isExecutable(binary), "there is no " + binary + " (nginx-light)");
        return binary.toString();
    }

    private Process start(String nginx, int port, int upstream) throws IOException {
        Path conf = folder.resolve("nginx.conf");
        Files.writeString(folder.resolve("events.conf"), "worker_connections 600;");
        boolean root = "root".equals(System.getProperty("user.name"));
        Files.writeString(
                conf,
                """
                daemon off; worker_processes 2; pid DIR/pid; error_log DIR/error.log; USER
                events { include events.conf; }
                http { access_log off;
                  client_body_temp_path DIR/b; proxy_temp_path DIR/p; fastcgi_temp_path DIR/f;
                  uwsgi_temp_path DIR/u; scgi_temp_path DIR/s;
                  upstream app { server 127.0.0.1:UP max_conns=30; keepalive 8; }
                  upstream other { server 127.0.0.1:1 max_conns=3; }
                  server { listen 127.0.0.1:PORT; location / { proxy_http_version 1.1;
                    proxy_set_header Connection ""; proxy_pass http://app; } } }
                """
                        .replace("DIR", folder.toString())
                        .replace("USER", root ? "user root;" : "")
                        .replace("PORT", Integer.toString(port))
                        .replace("UP", Integer.toString(upstream)));
        return new ProcessBuilder(
                        nginx, "-e", folder.resolve("e.log").toString(), "-c", conf.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.log").toFile())
                .start();
    }

    /// Sends one request, after which nginx keeps its connection to the service open.
    private static void ask(Process nginx, int port) throws IOException {
        while (true) {
            try (var socket = new Socket(LOOPBACK, port)) {
                socket.getOutputStream()
                        .write(
                                "GET / HTTP/1.0\r\nHost: x\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII));
                assertThat(
                                new String(
                                        socket.getInputStream().readAllBytes(),
                                        StandardCharsets.UTF_8))
                        .contains("200");
                return;
            } catch (java.net.ConnectException notYet) {
                assertThat(nginx.isAlive()).isTrue();
                // sleeps: interval between two checks for a starting server
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private static FrontServers.Reported reported(Target target, int port) {
        var servers = new FrontServers(PROC);
        servers.look(Sockets.read(PROC, target.pid(), Sockets.listeners(PROC, target.pid())));
        return servers.reported(Set.of(port));
    }

    @Test
    void readsLimitsOfServerWithConnectionsToService() throws Exception {
        String binary = nginx();
        try (Target target = TomcatVictim.launch(folder, "beans")) {
            int upstream = TomcatVictim.ports(folder).getFirst();
            int port = FreePort.get();
            Process nginx = start(binary, port, upstream);
            try {
                ask(nginx, port);

                FrontServers.Reported reported = reported(target, upstream);

                assertThat(reported.unread()).isEmpty();
                assertThat(reported.limits())
                        .extracting(LayerLimit::layer, LayerLimit::kind, LayerLimit::atOnce)
                        .containsExactly(
                                tuple("nginx in front", Kind.FRONT, 600.0),
                                tuple("nginx to the service", Kind.FRONT, 60.0));
                assertThat(reported.limits().getFirst().from())
                        .contains("2 workers x worker_connections 600")
                        .contains("keeps 8 idle");
            } finally {
                nginx.destroy();
                nginx.waitFor(1, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    void ignoresServerWithoutConnectionToService() throws Exception {
        String binary = nginx();
        try (Target target = TomcatVictim.launch(folder, "http-and-another")) {
            List<Integer> ports = TomcatVictim.ports(folder);
            Process nginx = start(binary, FreePort.get(), ports.getFirst());
            // a connection of another client
            try (var _ = new Socket(LOOPBACK, ports.getFirst())) {
                assertThat(reported(target, ports.getFirst()).limits()).isEmpty();
            } finally {
                nginx.destroy();
                nginx.waitFor(1, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    void reportsMissingConfiguration() throws Exception {
        String binary = nginx();
        try (Target target = TomcatVictim.launch(folder, "beans")) {
            int upstream = TomcatVictim.ports(folder).getFirst();
            int port = FreePort.get();
            Process nginx = start(binary, port, upstream);
            try {
                ask(nginx, port);
                Files.delete(folder.resolve("events.conf"));

                FrontServers.Reported reported = reported(target, upstream);

                assertThat(reported.limits()).isEmpty();
                assertThat(reported.unread())
                        .singleElement()
                        .asString()
                        .contains("nginx", "events.conf: not there");
            } finally {
                nginx.destroy();
                nginx.waitFor(1, TimeUnit.MINUTES);
            }
        }
    }

    /// Starts a server that forwards all requests, requests a page, and reads the server's
    /// settings.
    ///
    /// @param config its text, with the placeholders `DIR`, `PORT` and `UP`
    private FrontServers.Reported behind(String name, String config, List<String> command)
            throws Exception {
        Path binary = Path.of("/usr/sbin", name);
        assumeTrue(Files.isExecutable(binary), "there is no " + binary + " (" + name + ")");
        try (Target target = TomcatVictim.launch(folder, "beans")) {
            int upstream = TomcatVictim.ports(folder).getFirst();
            int port = FreePort.get();
            Path file =
                    Files.writeString(
                            folder.resolve("front.conf"),
                            config.replace("DIR", folder.toString())
                                    .replace("PORT", Integer.toString(port))
                                    .replace("UP", Integer.toString(upstream)));
            List<String> words = new java.util.ArrayList<>(List.of(binary.toString()));
            words.addAll(command);
            words.addAll(List.of("-f", file.toString()));
            Process front =
                    new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("front.log").toFile())
                            .start();
            try {
                ask(front, port);
                return reported(target, upstream);
            } finally {
                front.destroy();
                front.waitFor(1, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    void readsLimitsOfApache() throws Exception {
        FrontServers.Reported reported =
                behind(
                        "apache2",
                        """
                        ServerRoot DIR
                        ServerName x
                        Mutex pthread
                        DefaultRuntimeDir DIR
                        PidFile DIR/pid
                        ErrorLog DIR/error.log
                        LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
                        LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
                        LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
                        LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
                        User www-data
                        Group www-data
                        StartServers 1
                        ServerLimit 120
                        MaxRequestWorkers 3000
                        Listen 127.0.0.1:PORT
                        ProxyPass / http://127.0.0.1:UP/ max=2
                        """,
                        List.of("-D", "FOREGROUND"));

        assertThat(reported.unread()).isEmpty();
        assertThat(reported.limits())
                .extracting(LayerLimit::layer, LayerLimit::atOnce)
                .containsExactly(
                        tuple("Apache httpd in front", 3000.0),
                        tuple("Apache httpd to the service", 240.0));
    }

    @Test
    void readsLimitsOfHaproxy() throws Exception {
        FrontServers.Reported reported =
                behind(
                        "haproxy",
                        """
                        global
                          maxconn 2000
                        defaults
                          mode http
                          timeout connect 5s
                          timeout client 30s
                          timeout server 30s
                        frontend web
                          bind 127.0.0.1:PORT
                          default_backend app
                        backend app
                          http-reuse always
                          server a 127.0.0.1:UP maxconn 40
                        """,
                        List.of("-db"));

        assertThat(reported.unread()).isEmpty();
        assertThat(reported.limits())
                .extracting(LayerLimit::layer, LayerLimit::atOnce)
                .containsExactly(
                        tuple("HAProxy in front", 2000.0), tuple("HAProxy to the service", 40.0));
    }
}
