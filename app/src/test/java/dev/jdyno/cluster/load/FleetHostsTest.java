package dev.jdyno.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.cluster.Cluster;
import dev.jdyno.hosts.NetworkHosts;
import dev.jdyno.hosts.TimedService;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A run, its agents and a service. Each is a process on a separate host.
@Tag("full") // whole runs between hosts, with partitions that last
@Execution(ExecutionMode.CONCURRENT)
class FleetHostsTest {
    private static final int SERVICE_PORT = 8080;
    private static final int AGENT_PORT = 4711;
    private static final int SOME_REQUESTS = 200;
    private static final Duration LIMIT = Eventually.DEADLINE;

    /// Maximum time between the kill of a process, or the end of its network connection, and the
    /// last request.
    private static final Duration LATEST = Duration.ofSeconds(3);

    private static final Duration CUT = Duration.ofSeconds(5);

    /// Exit code of a JVM that has ended normally after SIGTERM.
    private static final int SIGTERM_EXIT = 143;

    @TempDir private Path folder;

    private final class Scene implements AutoCloseable {
        private final NetworkHosts hosts;
        private final Path token = folder.resolve("token");
        private final Path served = folder.resolve("served");

        Scene(String... others) throws IOException, InterruptedException {
            hosts =
                    NetworkHosts.of(
                            Stream.concat(Stream.of("app"), Stream.of(others))
                                    .toArray(String[]::new));
            Files.writeString(token, Cluster.TOKEN_TEXT);
            Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
            Process service =
                    start(
                            "app",
                            served,
                            TimedService.class.getName(),
                            hosts.address("app"),
                            Integer.toString(SERVICE_PORT));
            awaitSaid(served, "listening", service);
        }

        private Process start(String host, Path output, String main, String... words)
                throws IOException {
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx256m",
                                    "-XX:+UseSerialGC",
                                    "-XX:TieredStopAtLevel=1",
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    main));
            command.addAll(List.of(words));
            return hosts.start(host, output, command);
        }

        private Process jdyno(String host, String name, String... words) throws IOException {
            return start(host, folder.resolve(name), "dev.jdyno.cli.Main", words);
        }

        Process agent(String host) throws IOException {
            return jdyno(
                    host,
                    host,
                    "agent",
                    "--listen",
                    hosts.address(host) + ":" + AGENT_PORT,
                    "--token-file",
                    token.toString(),
                    "--allow",
                    hosts.address("app") + ":" + SERVICE_PORT);
        }

        /// @param name name of the process's folder and output
        Process run(String name, String... agents) throws IOException {
            return jdyno(
                    "run",
                    name + ".txt",
                    "run",
                    "http://" + hosts.address("app") + ":" + SERVICE_PORT + "/",
                    "--no-target",
                    "--agents",
                    Stream.of(agents).map(hosts::address).collect(Collectors.joining(",")),
                    "--token-file",
                    token.toString(),
                    "--concurrency=2",
                    "--warmup=2s",
                    "--round=60s",
                    "--no-store",
                    "--out=" + folder.resolve(name));
        }

        /// The times at which requests reached the service, in nanoseconds of the monotonic clock.
        List<Long> arrivals() throws IOException {
            String text = Files.readString(served);
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .filter(l -> !l.equals("listening"))
                    .map(Long::valueOf)
                    .toList();
        }

        void awaitMoreRequests(Process from) throws IOException, InterruptedException {
            int wanted = arrivals().size() + SOME_REQUESTS;
            Eventually.until(
                    "more requests",
                    () -> {
                        assertThat(from.isAlive()).as("the run says: %s", outputs()).isTrue();
                        return arrivals().size() >= wanted;
                    });
        }

        /// Asserts that the load ended in time and did not begin again.
        void assertNoneAfter(long instant) throws IOException {
            assertThat(Collections.max(arrivals())).isLessThan(instant + LATEST.toNanos());
        }

        /// Returns the warning of a run that ended because its load could not go on.
        Validity.Warning cutShort(String name, Process run)
                throws IOException, InterruptedException {
            assertThat(run.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as(outputs()).isTrue();
            assertThat(run.exitValue()).as(outputs()).isEqualTo(UserError.Kind.INVALID.exitCode());
            RunResult result = ResultJson.read(folder.resolve(name).resolve("result.json"));
            assertThat(result.validity().ok()).isFalse();
            return result.validity().warnings().stream()
                    .filter(w -> w.id().equals("cut-short") && w.spoils())
                    .findFirst()
                    .orElseThrow();
        }

        /// The port of the only listener on a host.
        int port(String host) throws IOException, InterruptedException {
            Path said = folder.resolve("ports");
            assertThat(hosts.start(host, said, List.of("ss", "-ltnH")).waitFor()).isZero();
            Matcher listener =
                    Pattern.compile(Pattern.quote(hosts.address(host)) + "]?:(\\d+)")
                            .matcher(Files.readString(said));
            assertThat(listener.find()).as(Files.readString(said)).isTrue();
            return Integer.parseInt(listener.group(1));
        }

        /// Attacks of a process without the token: port scans, garbage, silent connections.
        void disturb(String host, int port) throws IOException, InterruptedException {
            String script =
                    """
                    for p in $(seq 1 500) $2; do : > /dev/tcp/$1/$p; done
                    for i in $(seq 30); do
                      head -c 20000 /dev/urandom > /dev/tcp/$1/$2
                      printf 'GET / HTTP/1.1\\r\\n\\r\\n' > /dev/tcp/$1/$2
                    done
                    for i in $(seq 40); do exec {held}<> /dev/tcp/$1/$2; done
                    sleep 1
                    """;
            Process stranger =
                    hosts.start(
                            "stranger",
                            folder.resolve("stranger"),
                            List.of(
                                    "bash",
                                    "-c",
                                    script,
                                    "stranger",
                                    hosts.address(host),
                                    Integer.toString(port)));
            assertThat(stranger.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(stranger.exitValue()).isZero();
        }

        private String outputs() throws IOException {
            try (Stream<Path> files = Files.list(folder)) {
                StringBuilder all = new StringBuilder();
                for (Path file : files.filter(f -> f.toString().endsWith(".txt")).toList()) {
                    all.append(Files.readString(file));
                }
                return all.toString();
            }
        }

        @Override
        public void close() {
            hosts.close();
        }
    }

    private static void awaitSaid(Path output, String text, Process by)
            throws IOException, InterruptedException {
        Eventually.until(
                () -> output.getFileName() + " to say " + text,
                () -> {
                    assertThat(by.isAlive()).as("%s says %s", output, text).isTrue();
                    return Files.exists(output) && Files.readString(output).contains(text);
                });
    }

    private Process ready(Process agent, String host) throws IOException, InterruptedException {
        awaitSaid(folder.resolve(host), "is ready", agent);
        return agent;
    }

    @Test
    void ignoresStrangersAndStopsAllLoadIfAgentIsKilled() throws Exception {
        try (var scene = new Scene("run", "lg1", "lg2", "stranger")) {
            Process starting = scene.agent("lg1");
            Process other = ready(scene.agent("lg2"), "lg2");
            Process killed = ready(starting, "lg1");
            Process run = scene.run("out", "lg1", "lg2");
            scene.awaitMoreRequests(run);

            scene.disturb("lg1", AGENT_PORT);
            scene.disturb("run", scene.port("run"));
            scene.awaitMoreRequests(run);
            assertThat(Stream.of(killed, other)).allMatch(Process::isAlive);

            killed.destroyForcibly();
            long at = System.nanoTime();
            assertThat(scene.cutShort("out", run).says())
                    .contains(scene.hosts.address("lg1"))
                    .doesNotContain(scene.hosts.address("lg2"));
            scene.assertNoneAfter(at);
            assertThat(other.isAlive()).isTrue();
        }
    }

    @Test
    void aKilledRunHasNoLoadAndItsAgentWorksForTheNext() throws Exception {
        try (var scene = new Scene("run", "lg")) {
            Process agent = ready(scene.agent("lg"), "lg");
            Process killed = scene.run("killed", "lg");
            scene.awaitMoreRequests(killed);

            killed.destroyForcibly();
            long at = System.nanoTime();
            // sleeps: a load that is to have ended could still go on, and is given the time for it
            TimeUnit.NANOSECONDS.sleep(LATEST.multipliedBy(4).dividedBy(3).toNanos());
            scene.assertNoneAfter(at);

            Process next = scene.run("next", "lg");
            scene.awaitMoreRequests(next);
            assertThat(agent.isAlive()).isTrue();

            agent.destroy(); // SIGTERM
            long ended = System.nanoTime();
            assertThat(scene.cutShort("next", next).says()).contains(scene.hosts.address("lg"));
            assertThat(agent.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(agent.exitValue()).isEqualTo(SIGTERM_EXIT);
            scene.assertNoneAfter(ended);
        }
    }

    /// Only the network connection of the run ends. Its agent still reaches the service.
    @Test
    void loadDoesNotRestartAfterPartition() throws Exception {
        try (var scene = new Scene("run", "lg")) {
            ready(scene.agent("lg"), "lg");
            Process run = scene.run("out", "lg");
            scene.awaitMoreRequests(run);

            scene.hosts.connected("run", false);
            long at = System.nanoTime();
            // sleeps: a load that is to have ended could still go on, and is given the time for it
            TimeUnit.NANOSECONDS.sleep(CUT.toNanos());
            scene.hosts.connected("run", true);

            assertThat(scene.cutShort("out", run).says()).contains(scene.hosts.address("lg"));
            // sleeps: a load that is to have ended could still go on, and is given the time for it
            TimeUnit.SECONDS.sleep(2);
            scene.assertNoneAfter(at);
        }
    }
}
