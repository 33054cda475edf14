package dev.jdyno.experiment;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A real nginx as a reverse proxy, in a folder and on a port of its own.
final class Nginx implements AutoCloseable {
    private static final List<Path> PLACES =
            List.of(
                    Path.of("/usr/sbin/nginx"),
                    Path.of("/usr/local/sbin/nginx"),
                    Path.of("/usr/bin/nginx"),
                    Path.of("/opt/homebrew/bin/nginx"));
    private static final int LOOKS = 200;
    private static final long LOOK_EVERY_NANOS = 25_000_000L;
    private static final int END_SECONDS = 5;

    private final Process process;
    private final Path folder;
    private final int port;

    private Nginx(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /// Starts it with two workers, which share the connections evenly, and with the small send
    /// buffers a real network gives it: on the loopback device they would hold megabytes.
    ///
    /// @param outside directives beside `server`, such as an `upstream`
    /// @param location directives inside `location /`
    /// @throws UserError when no nginx is installed
    static Nginx start(String experiment, Path under, String outside, String location) {
        Path binary =
                PLACES.stream()
                        .filter(Files::isExecutable)
                        .findFirst()
                        .orElseThrow(() ->
                                UserError.usage(
                                        experiment + " is skipped: there is no nginx here",
                                        "looked for " + PLACES,
                                        "install it: apt-get install nginx-light"));
        int port = freePort();
        try {
            Path folder = Files.createTempDirectory(under, "nginx-");
            Path conf =
                    Files.writeString(
                            folder.resolve("nginx.conf"),
                            """
                            worker_processes 2; daemon off; pid %1$s/nginx.pid; error_log %1$s/error.log warn;
                            %2$s
                            events { worker_connections 8000; }
                            http {
                              client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy;
                              fastcgi_temp_path %1$s/f; uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;
                              log_format times "$status $request_time $upstream_response_time";
                              access_log %1$s/times.log times; keepalive_requests 1000000000;
                              %3$s
                              server { listen 127.0.0.1:%4$d backlog=4096 reuseport sndbuf=32k; location / { %5$s } }
                            }
                            """
                                    .formatted(folder, user(), outside, port, location));
            Process process =
                    new ProcessBuilder(
                                    binary.toString(),
                                    "-p",
                                    folder.toString(),
                                    "-c",
                                    conf.toString())
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(folder.resolve("start.err").toFile())
                            .start();
            return new Nginx(process, folder, port).awaited();
        } catch (IOException e) {
            throw UserError.target(
                            "cannot start nginx",
                            String.valueOf(e.getMessage()),
                            "run " + binary + " -t by hand")
                    .causedBy(e);
        }
    }

    /// Workers of a root's nginx would not be root, and could not enter the lab's folder.
    private static String user() {
        return "root".equals(System.getProperty("user.name")) ? "user root;" : "";
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("no free port", e);
        }
    }

    private Nginx awaited() throws IOException {
        for (int i = 0; i < LOOKS && process.isAlive(); i++) {
            try (var socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 1000);
                return this;
            } catch (IOException notYet) {
                LockSupport.parkNanos(LOOK_EVERY_NANOS);
            }
        }
        process.destroy();
        throw UserError.target(
                "nginx did not start",
                Files.readString(folder.resolve("start.err")).strip(),
                "fix the cause in that message, then run it again");
    }

    URI url(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + port + pathAndQuery);
    }

    /// Lines of its error log that contain a text.
    long complaints(String text) {
        return lines("error.log", l -> l.filter(x -> x.contains(text)).count());
    }

    /// Median of what one request took until the upstream had answered nginx, in ms.
    double upstreamMsP50() {
        double[] sorted =
                lines(
                        "times.log",
                        l ->
                                l.map(x -> x.split(" ")[2])
                                        .filter(x -> !x.equals("-"))
                                        .mapToDouble(x -> 1e3 * Double.parseDouble(x))
                                        .sorted()
                                        .toArray());
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    /// Requests it has answered.
    long replies() {
        return lines("times.log", Stream::count);
    }

    private interface Reader<T> {
        T read(Stream<String> lines);
    }

    private <T> T lines(String file, Reader<T> reader) {
        try (Stream<String> all = Files.lines(folder.resolve(file), StandardCharsets.ISO_8859_1)) {
            return reader.read(all);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot read nginx's " + file, e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
