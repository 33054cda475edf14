package dev.jdyno.experiment.server;

import java.nio.file.Path;
import java.util.List;

/// A real Redis that stores nothing on disk.
public record Redis(ServerProcess server) implements AutoCloseable {
    private static final List<Path> PLACES =
            List.of(
                    Path.of("/usr/bin/redis-server"),
                    Path.of("/usr/local/bin/redis-server"),
                    Path.of("/opt/homebrew/bin/redis-server"));

    /// @throws dev.jdyno.measure.text.UserError if Redis is not installed
    public static Redis start(String experiment, Path folder) {
        Path binary = ServerProcess.installed(experiment, PLACES, "redis-server");
        Path log = folder.resolve("redis.log");
        return new Redis(
                ServerProcess.start(
                        binary,
                        log,
                        port ->
                                ServerProcess.sample(
                                                List.of(
                                                        binary.toString(),
                                                        "--port",
                                                        Integer.toString(port),
                                                        "--bind",
                                                        "127.0.0.1",
                                                        "--save",
                                                        "",
                                                        "--appendonly",
                                                        "no"))
                                        .directory(folder.toFile())
                                        .redirectErrorStream(true)
                                        .redirectOutput(log.toFile())));
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
    }
}
