package dev.jdyno.experiment;

import dev.jdyno.measure.text.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A real Redis that keeps nothing on the disk, on a port of its own.
final class Redis implements Lab.Running {
    private static final List<Path> PLACES =
            List.of(
                    Path.of("/usr/bin/redis-server"),
                    Path.of("/usr/local/bin/redis-server"),
                    Path.of("/opt/homebrew/bin/redis-server"));
    private static final int LOOKS = 200;
    private static final long LOOK_EVERY_NANOS = 25_000_000L;
    private static final int END_SECONDS = 5;

    private final Process process;
    private final int port;

    private Redis(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// @throws UserError when none is installed
    static Redis start(String experiment, Path folder) {
        Path binary =
                PLACES.stream()
                        .filter(Files::isExecutable)
                        .findFirst()
                        .orElseThrow(() ->
                                UserError.usage(
                                        experiment + " is skipped: there is no redis-server here",
                                        "looked for " + PLACES,
                                        "install it: apt-get install redis-server"));
        try {
            int port = freePort();
            Path log = folder.resolve("redis.log");
            Process process =
                    new ProcessBuilder(
                                    LabService.ofItsOwnSession(
                                            List.of(
                                                    binary.toString(),
                                                    "--port",
                                                    Integer.toString(port),
                                                    "--bind",
                                                    "127.0.0.1",
                                                    "--save",
                                                    "",
                                                    "--appendonly",
                                                    "no")))
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            return new Redis(process, port).awaited(log);
        } catch (IOException e) {
            throw UserError.target(
                            "cannot start redis-server",
                            String.valueOf(e.getMessage()),
                            "run " + binary + " by hand")
                    .causedBy(e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private Redis awaited(Path log) throws IOException {
        for (int i = 0; i < LOOKS && process.isAlive(); i++) {
            try (var socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), 1000);
                return this;
            } catch (IOException notYet) {
                LockSupport.parkNanos(LOOK_EVERY_NANOS);
            }
        }
        close();
        throw UserError.target(
                "redis-server did not start",
                Files.readString(log).strip(),
                "fix the cause in that message, then run it again");
    }

    int port() {
        return port;
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
