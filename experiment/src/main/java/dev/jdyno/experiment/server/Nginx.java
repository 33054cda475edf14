package dev.jdyno.experiment.server;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A real nginx as a reverse proxy.
///
/// @param folder nginx's own folder, with its configuration and logs
public record Nginx(ServerProcess server, Path folder) implements AutoCloseable {
    private static final List<Path> PLACES =
            List.of(
                    Path.of("/usr/sbin/nginx"),
                    Path.of("/usr/local/sbin/nginx"),
                    Path.of("/usr/bin/nginx"),
                    Path.of("/opt/homebrew/bin/nginx"));

    /// Starts nginx with two workers, which share the connections evenly. It gets small send
    /// buffers as on a real network: by default, those of the loopback device hold megabytes.
    ///
    /// @param outside directives outside `server`, such as an `upstream`
    /// @param location directives inside `location /`
    /// @throws UserError if nginx is not installed
    public static Nginx start(String experiment, Path under, String outside, String location) {
        Path binary = ServerProcess.installed(experiment, PLACES, "nginx-light");
        Path folder = folder(under);
        Path errors = folder.resolve("start.err");
        return new Nginx(
                ServerProcess.start(
                        binary,
                        errors,
                        port -> {
                            Path conf =
                                    Files.writeString(
                                            folder.resolve("nginx.conf"),
                                            configuration(folder, port, outside, location));
                            return ServerProcess.sample(
                                            List.of(
                                                    binary.toString(),
                                                    "-p",
                                                    folder.toString(),
                                                    "-c",
                                                    conf.toString()))
                                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                    .redirectError(errors.toFile());
                        }),
                folder);
    }

    private static String configuration(Path folder, int port, String outside, String location) {
        return """
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
                .formatted(folder, user(), outside, port, location);
    }

    private static Path folder(Path under) {
        try {
            return Files.createTempDirectory(under, "nginx-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for nginx", e);
        }
    }

    /// Keeps the workers running as root if nginx was started by root; otherwise they could not
    /// enter the lab's folder.
    private static String user() {
        return "root".equals(System.getProperty("user.name")) ? "user root;" : "";
    }

    public URI url(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + server.port() + pathAndQuery);
    }

    /// Number of lines in the error log that contain a text.
    public long complaints(String text) {
        return lines("error.log", l -> l.filter(x -> x.contains(text)).count());
    }

    /// Median time until the upstream had answered nginx, in ms.
    public double upstreamMsP50() {
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

    /// Number of requests that nginx has answered.
    public long replies() {
        return lines("times.log", Stream::count);
    }

    private interface Reader<T> {
        T read(Stream<String> lines);
    }

    private <T> T lines(String file, Reader<T> reader) {
        try (Stream<String> all = Files.lines(folder.resolve(file), StandardCharsets.ISO_8859_1)) {
            return reader.read(all);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read nginx's " + file, e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
