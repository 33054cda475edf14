package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.history.RoundLines;
import dev.jdyno.measure.Eventually;
import dev.jdyno.observe.Measures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// An agent in a process of its own starts both variants from its own list; the comparison has only
/// their names.
@Tag("full") // whole comparisons
class CompareAwayTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir private Path folder;
    private Path token;
    private Path temporary;
    private Process agent;
    private String address;

    @BeforeEach
    void start() throws IOException {
        token = Files.writeString(folder.resolve("token"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        temporary = Files.createDirectory(folder.resolve("tmp"));
        agent =
                jdyno(
                        List.of(
                                "agent",
                                "--listen=127.0.0.1:0",
                                "--token-file=" + token,
                                "--launch",
                                "fast=" + server(""),
                                "--launch",
                                "slow=" + server("-Xint ")));
        // agent 127.0.0.1:4711 is ready
        String line = agent.inputReader().readLine();
        assertThat(line).isNotNull();
        address = line.split(" ", -1)[1];
    }

    @AfterEach
    void end() {
        agent.destroyForcibly();
    }

    private static String server(String flags) {
        return JAVA + " " + flags + "-Xmx64m -m jdk.httpserver -b 127.0.0.1 -p {port} -o none";
    }

    private Process jdyno(List<String> words) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                JAVA,
                                "--enable-native-access=ALL-UNNAMED",
                                "-Djava.io.tmpdir=" + temporary,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        command.addAll(words);
        return new ProcessBuilder(command)
                .redirectError(folder.resolve(words.getFirst() + "-errors").toFile())
                .start();
    }

    private List<String> compare(String a, String b, String... more) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "compare",
                                "--url",
                                "http://127.0.0.1:{port}/",
                                "--observe",
                                address,
                                "--token-file",
                                token.toString(),
                                "--a",
                                "launch:" + a,
                                "--b",
                                "launch:" + b,
                                "--quiet",
                                "--no-store",
                                "--concurrency",
                                "4",
                                "--rate",
                                "50",
                                "--block",
                                "2s",
                                "--warmup",
                                "3s",
                                "--budget",
                                "3m",
                                "--out",
                                folder.resolve("out").toString()));
        words.addAll(List.of(more));
        return words;
    }

    /// The JVMs of the services, without the shells that started them.
    private Stream<ProcessHandle> services() {
        return agent.descendants()
                .filter(p -> p.info().command().orElse("").endsWith("/java"))
                .filter(p -> p.info().commandLine().orElse("").contains("jdk.httpserver"));
    }

    @Measures
    @Test
    void interpretedServiceIsWorseByCpuOfItsOwnHost() throws IOException {
        CliOutput said =
                CliOutput.jdyno(
                        compare("fast", "slow", "--json", "--primary", "cpuMsPerRequest")
                                .toArray(String[]::new));

        assertThat(said.code()).as(said.err()).isEqualTo(4);
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.get("verdict").asString()).isEqualTo("worse");
        assertThat(json.get("starts").asInt()).isGreaterThanOrEqualTo(3);
        JsonNode cpu =
                json.get("metrics")
                        .valueStream()
                        .filter(m -> m.get("name").asString().equals("cpuMsPerRequest"))
                        .findFirst()
                        .orElseThrow();
        assertThat(cpu.get("ratio").asDouble()).isGreaterThan(1.5);
        assertThat(json.get("difference").get("breakdown").size()).isPositive();
        Eventually.until("the end of the services", () -> services().findAny().isEmpty());
        Eventually.until("the end of the files", () -> isEmpty(temporary));
        assertThat(agent.isAlive()).isTrue();
    }

    @Test
    void nameThatTheAgentDoesNotHaveIsRefused() {
        CliOutput said = CliOutput.jdyno(compare("fast", "other").toArray(String[]::new));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("other", "fast, slow");
        Eventually.until("the end of the services", () -> services().findAny().isEmpty());
    }

    private List<ProcessHandle> awaitBoth(Process run) {
        Eventually.until(
                "both services",
                () -> {
                    assertThat(run.isAlive()).isTrue();
                    return services().count() == 2;
                });
        return services().toList();
    }

    private static void awaitEnd(List<ProcessHandle> services) {
        Eventually.until(
                "the end of the services",
                () -> services.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void servicesEndWithInterruptedRun() throws IOException, InterruptedException {
        Process run = jdyno(compare("fast", "slow"));
        try {
            List<ProcessHandle> started = awaitBoth(run);
            run.destroy();
            assertThat(run.waitFor()).isNotIn(0, 4);
            awaitEnd(started);
            assertThat(agent.isAlive()).isTrue();
        } finally {
            run.destroyForcibly();
        }
    }

    @Test
    void servicesEndWithLostRun() throws IOException {
        Process run = jdyno(compare("fast", "slow"));
        try {
            List<ProcessHandle> started = awaitBoth(run);
            run.toHandle().destroyForcibly();
            awaitEnd(started);
            assertThat(agent.isAlive()).isTrue();
        } finally {
            run.destroyForcibly();
        }
    }

    /// When the agent ends, its services end and requests fail. No variant counts as worse because
    /// of that.
    @Measures
    @Test
    void killedAgentEndsServicesAndGivesNoVerdict() throws IOException, InterruptedException {
        Process run = jdyno(compare("fast", "fast", "--url-b", "http://127.0.0.1:{port}/?b"));
        try {
            // after the first line and the four blocks of the first start, the second start is
            // measured
            Eventually.until(
                    "a block of the second start",
                    () -> {
                        assertThat(run.isAlive()).isTrue();
                        return blocks() > 5;
                    });
            List<ProcessHandle> started = awaitBoth(run);
            agent.toHandle().destroyForcibly();
            awaitEnd(started);
            assertThat(run.waitFor()).isEqualTo(3);
            JsonNode json =
                    JsonMapper.shared().readTree(folder.resolve("out/compare.json").toFile());
            assertThat(json.get("verdict").asString()).isEqualTo("inconclusive");
            assertThat(json.get("starts").asInt()).isEqualTo(1);
            assertThat(json.get("partial").asBoolean()).isTrue();
        } finally {
            run.destroyForcibly();
        }
    }

    private long blocks() throws IOException {
        Path lines = folder.resolve("out").resolve(RoundLines.NAME);
        return Files.exists(lines)
                ? Files.readString(lines).chars().filter(c -> c == '\n').count()
                : 0;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }
}
