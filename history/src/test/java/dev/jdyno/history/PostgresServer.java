package dev.jdyno.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A PostgreSQL server of the machine's own packages, on a free port of the loopback device.
final class PostgresServer implements AutoCloseable {
    private static final Path PACKAGES = Path.of("/usr/lib/postgresql");

    /// Maximum time for the server to start or end. Its own default is too short for a busy disk.
    private static final String WAIT_SECONDS = "150";

    private final Path programs;
    private final Path data;
    private final int port;

    private PostgresServer(Path programs, Path data, int port) {
        this.programs = programs;
        this.data = data;
        this.port = port;
    }

    /// Empty if PostgreSQL is not installed.
    static Optional<PostgresServer> start() throws IOException, InterruptedException {
        Optional<Path> programs = programs();
        if (programs.isEmpty()) {
            return Optional.empty();
        }
        Path data = Files.createTempDirectory("jdyno-postgres");
        if (isRoot()) {
            // the server refuses to run as root
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
            run(List.of("chown", "postgres", data.toString()));
        }
        asPostgres(
                programs.get(),
                "initdb",
                "-N",
                "-D",
                data.toString(),
                "-U",
                "jdyno",
                "-A",
                "trust");
        // chosen after initdb, which takes so long that another process could get the port
        int port = FreePort.get();
        var server = new PostgresServer(programs.get(), data, port);
        server.control(
                "-l",
                data.resolve("log").toString(),
                "-o",
                "-p " + port + " -c listen_addresses=127.0.0.1 -k " + data,
                "start");
        return Optional.of(server);
    }

    /// Runs `pg_ctl`, and waits until the server has started or ended.
    private void control(String... more) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("-D", data.toString(), "-w", "-t", WAIT_SECONDS));
        words.addAll(List.of(more));
        asPostgres("pg_ctl", words.toArray(String[]::new));
    }

    private static Optional<Path> programs() throws IOException {
        if (!Files.isDirectory(PACKAGES)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(PACKAGES)) {
            return versions.map(v -> v.resolve("bin"))
                    .filter(b -> Files.isExecutable(b.resolve("initdb")))
                    .max(Comparator.naturalOrder());
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    String url() {
        return url("127.0.0.1");
    }

    String url(String host) {
        return "postgresql://jdyno@" + host + ":" + port + "/postgres";
    }

    /// Gives the server a self-signed certificate.
    ///
    /// @param folder receives the certificate
    /// @param address name in the certificate
    Path encrypts(Path folder, String address) throws IOException, InterruptedException {
        asThis(
                "/usr/bin/openssl",
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
                        + " -subj /CN=jdyno-test -addext subjectAltName=IP:"
                        + address
                        + " -keyout "
                        + data.resolve("server.key")
                        + " -out "
                        + data.resolve("server.crt"));
        Files.writeString(
                data.resolve("postgresql.auto.conf"), "ssl = on\n", StandardOpenOption.APPEND);
        control("-m", "fast", "-s", "restart");
        return Files.copy(data.resolve("server.crt"), folder.resolve("server.crt"));
    }

    private void asThis(String program, String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asUser());
        command.add(program);
        command.addAll(List.of(arguments.split(" ")));
        run(command);
    }

    private static List<String> asUser() {
        return isRoot()
                ? List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups")
                : List.of();
    }

    private void asPostgres(String program, String... arguments)
            throws IOException, InterruptedException {
        asPostgres(programs, program, arguments);
    }

    private static void asPostgres(Path programs, String program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asUser());
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        run(command);
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(Path.of("/").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }

    @Override
    public void close() throws IOException {
        try {
            asPostgres(
                    "pg_ctl",
                    "-D",
                    data.toString(),
                    "-m",
                    "immediate",
                    "-w",
                    "-t",
                    WAIT_SECONDS,
                    "stop");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the server ended", stopped);
        }
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
