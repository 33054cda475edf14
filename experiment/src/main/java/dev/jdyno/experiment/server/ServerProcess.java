package dev.jdyno.experiment.server;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.Inherited;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A process of a server that is installed on this machine, such as Redis, on a free port.
///
/// @param port port of the server on the loopback device
public record ServerProcess(Process process, int port) implements AutoCloseable {
    private static final int CHECKS = 200;
    private static final long CHECK_INTERVAL_NANOS = 25_000_000L;
    private static final int CONNECT_MILLIS = 1000;
    private static final int END_SECONDS = 5;

    /// A command that listens on a port.
    @FunctionalInterface
    public interface Command {
        ProcessBuilder listeningOn(int port) throws IOException;
    }

    /// Starts the server and waits until it listens.
    ///
    /// @param log file with its output, which shows why it did not start
    /// @throws UserError if it does not start
    public static ServerProcess start(Path binary, Path log, Command command) {
        String name = String.valueOf(binary.getFileName());
        try {
            int port = freePort();
            return new ServerProcess(command.listeningOn(port).start(), port).awaited(name, log);
        } catch (IOException e) {
            throw UserError.target(
                            "cannot start " + name,
                            String.valueOf(e.getMessage()),
                            "run " + binary + " by hand")
                    .causedBy(e);
        }
    }

    /// @param places paths at which it may be installed
    /// @param install name of the package that contains it
    /// @throws UserError if it is not installed
    static Path installed(String experiment, List<Path> places, String install) {
        return places.stream()
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() ->
                        UserError.usage(
                                experiment
                                        + " is skipped: there is no "
                                        + places.getFirst().getFileName()
                                        + " here",
                                "looked for " + places,
                                "install it: apt-get install " + install));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private ServerProcess awaited(String name, Path log) throws IOException {
        for (int i = 0; i < CHECKS && process.isAlive(); i++) {
            try (var socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port),
                        CONNECT_MILLIS);
                return this;
            } catch (IOException notYet) {
                LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
            }
        }
        close();
        throw UserError.target(
                name + " did not start",
                Files.readString(log).strip(),
                "fix the cause in that message, then run it again");
    }

    @Override
    public void close() {
        end(process);
    }

    /// Returns a command that runs in its own session: Ctrl-C at the terminal reaches only jdyno,
    /// which ends the process itself. It inherits the environment that a sample server needs
    /// ({@link Inherited}).
    public static ProcessBuilder sample(List<String> command) {
        Path setsid = Path.of("/usr/bin/setsid");
        List<String> full = new ArrayList<>(command);
        if (Files.isExecutable(setsid)) {
            full.addFirst(setsid.toString());
        }
        var builder = new ProcessBuilder(full);
        Inherited.bySample(builder.environment());
        return builder;
    }

    /// Ends a process, by force if it does not end in time.
    public static void end(Process process) {
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
