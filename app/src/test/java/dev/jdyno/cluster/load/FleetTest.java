package dev.jdyno.cluster.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.cluster.Agent;
import dev.jdyno.cluster.AgentAddress;
import dev.jdyno.cluster.Cluster;
import dev.jdyno.cluster.Credentials;
import dev.jdyno.cluster.Token;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.Level;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.Eventually;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.load.Workload;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.observe.Measures;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetTest {
    private static final Duration A_WHILE = Duration.ofMillis(800);

    private final AtomicLong served = new AtomicLong();
    private final List<Agent> agents = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer service;

    FleetTest() throws IOException {
        service =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    }

    @BeforeEach
    void serve() {
        service.setExecutor(threads);
        service.createContext(
                "/",
                exchange -> {
                    served.incrementAndGet();
                    byte[] reply = {'o', 'k'};
                    exchange.sendResponseHeaders(200, reply.length);
                    try (OutputStream out = exchange.getResponseBody()) {
                        out.write(reply);
                    }
                });
        service.start();
        var allowance =
                new Allowance(List.of("127.0.0.1:" + service.getAddress().getPort()), 5000, 50);
        for (int i = 0; i < 2; i++) {
            agents.add(Cluster.agent(() -> List.of(new LoadDuty(allowance, NanoClock.SYSTEM))));
        }
    }

    @AfterEach
    void end() {
        agents.forEach(Agent::close);
        service.stop(0);
        threads.shutdownNow();
    }

    private LoadSpec spec() {
        return LoadSpec.to(URI.create("http://127.0.0.1:" + service.getAddress().getPort() + "/"))
                .build();
    }

    private List<AgentAddress> addresses() {
        return agents.stream().map(a -> new AgentAddress("127.0.0.1", a.port())).toList();
    }

    private Fleet fleet(LoadSpec spec) {
        return Fleet.start(
                addresses(), Credentials.of(Cluster.TOKEN), spec, "a test", NanoClock.SYSTEM);
    }

    private LoadWindow during(Fleet fleet, Level level) throws InterruptedException {
        fleet.apply(level);
        // sleeps: the window that is measured
        Thread.sleep(A_WHILE);
        fleet.apply(new Level.Idle());
        awaitEndOfLoad();
        return fleet.take();
    }

    /// Waits until no request came for a second. A load that goes on never ends so.
    private void awaitEndOfLoad() {
        Eventually.until(
                () -> "the end of the load, after " + served + " requests",
                () -> {
                    long then = served.get();
                    // sleeps: time in which one too many would come
                    Thread.sleep(1000);
                    return served.get() == then;
                });
    }

    @Test
    void addsAgentsUpToOneWindow() throws InterruptedException {
        try (Fleet fleet = fleet(spec())) {
            LoadWindow window = during(fleet, new Level.Closed(3, Duration.ZERO));

            assertThat(window.requests()).isPositive().isEqualTo(served.get());
            assertThat(window.latencyNanos().getTotalCount()).isEqualTo(window.requests());
            assertThat(window.errors()).isZero();
            assertThat(window.connections().open()).isEqualTo(3);
            assertThat(window.use().loops()).hasSizeGreaterThanOrEqualTo(2);
            assertThat(window.seconds()).isGreaterThan(A_WHILE.toMillis() / 1e3);
        }
    }

    @Measures
    @Test
    void openLoadHasRequestedRate() throws InterruptedException {
        try (Fleet fleet = fleet(spec())) {
            LoadWindow window = during(fleet, new Level.Open(8, 500, Arrivals.POISSON));

            // Poisson: the deviation is the root of the mean
            double mean = 500 * A_WHILE.toMillis() / 1e3;
            assertThat((double) served.get()).isBetween(mean / 2, mean * 1.5);
            assertThat(window.requests()).isEqualTo(served.get());
        }
    }

    @Test
    void aLostAgentEndsTheLoadOfAll() throws InterruptedException {
        try (Fleet fleet = fleet(spec())) {
            fleet.apply(new Level.Closed(4, Duration.ZERO));
            agents.getLast().close();

            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> {
                        Eventually.until(
                                "the loss of the agent",
                                () -> {
                                    fleet.take();
                                    return false;
                                });
                    })
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(UserError.Kind.INVALID));
            fleet.apply(new Level.Idle());
            awaitEndOfLoad();
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> fleet.apply(new Level.Closed(1, Duration.ZERO)));
        }
    }

    @Tag("full") // waits whether a load goes on
    @Test
    void theLoadEndsWithTheFleetAndTheAgentsAreFree() throws InterruptedException {
        try (Fleet fleet = fleet(spec())) {
            fleet.apply(new Level.Closed(2, Duration.ZERO));
            Eventually.until("a load", () -> served.get() > 0);
        }

        awaitEndOfLoad();
        fleet(spec()).close();
    }

    /// The process that runs the load is stopped and continues later. To the agents, this looks
    /// like a network failure.
    @Tag("full") // a whole run that is stopped
    @Test
    void unheardRunLosesItsLoadForGood(@TempDir Path folder) throws Exception {
        Path token = Files.writeString(folder.resolve("token"), Cluster.TOKEN_TEXT);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        Process run =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.jdyno.cli.Main",
                                "run",
                                spec().url().toString(),
                                "--no-target",
                                "--agents",
                                addresses().stream()
                                        .map(AgentAddress::toString)
                                        .collect(Collectors.joining(",")),
                                "--token-file",
                                token.toString(),
                                "--concurrency=2",
                                "--warmup=2s",
                                "--round=60s",
                                "--no-store",
                                "--out=" + folder.resolve("out"))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("run.txt").toFile())
                        .start();
        try {
            Eventually.until(
                    "a load",
                    () -> {
                        assertThat(run.isAlive()).isTrue();
                        return served.get() >= 500;
                    });

            signal("STOP", run);
            awaitEndOfLoad();
            long then = served.get();

            signal("CONT", run);
            assertThat(run.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(run.exitValue()).isEqualTo(UserError.Kind.INVALID.exitCode());
            assertThat(served).hasValue(then);
            assertThat(folder.resolve("out").resolve("result.json")).isNotEmptyFile();
        } finally {
            run.destroyForcibly();
        }
    }

    private static void signal(String name, Process to) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, "" + to.pid()).start().waitFor())
                .isZero();
    }

    @Tag("full") // waits for hosts that are not there
    @Test
    void reportsAllProblemsTogether() {
        LoadSpec elsewhere = LoadSpec.to(URI.create("http://192.0.2.1:8080/")).build();
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> fleet(elsewhere))
                .satisfies(e -> assertThat(e.what()).contains("2 mistakes"));

        List<AgentAddress> wrong =
                List.of(
                        addresses().getFirst(),
                        new AgentAddress("127.0.0.1", 1),
                        new AgentAddress("no-such-host.invalid", 4711));
        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() ->
                        Fleet.start(
                                wrong,
                                Credentials.of(Token.of("f".repeat(32))),
                                spec(),
                                "a test",
                                NanoClock.SYSTEM))
                .satisfies(e -> assertThat(e.what()).contains("3 mistakes"));
    }

    @Test
    void anAgentRefusesMoreThanItsLimit() {
        try (Fleet fleet = fleet(spec())) {
            assertThatExceptionOfType(UserError.class)
                    .isThrownBy(() -> fleet.apply(new Level.Closed(101, Duration.ZERO)))
                    .satisfies(e -> assertThat(e.what()).contains("agent 127.0.0.1"));
        }
    }

    @Test
    void workloadWithChecksValuesAndDataArrivesUnchanged() throws InterruptedException {
        var step =
                new Workload.Step(
                        "a",
                        "GET",
                        "/${id}",
                        Map.of("X-A", "b"),
                        "",
                        List.of(new Workload.Check.Status(200), new Workload.Check.Contains("o")),
                        List.of(new Workload.Take.Regex("x", Pattern.compile("(o)k"))));
        var workload =
                new Workload(
                        List.of(new Workload.Journey("j", 1, List.of(step))),
                        List.of(Map.of("id", "1"), Map.of("id", "2")),
                        Workload.RowOrder.UNIQUE);
        LoadSpec spec = LoadSpec.to(spec().url()).workload(workload).build();
        try (Fleet fleet = fleet(spec)) {
            LoadWindow window = during(fleet, new Level.Closed(2, Duration.ZERO));

            assertThat(window.errors()).isZero();
            assertThat(window.named()).containsOnlyKeys("a");
            assertThat(window.requests()).isPositive().isEqualTo(served.get());
        }
    }

    @Test
    void refusesLoadThatCannotBeSplit() {
        var replay =
                new Workload.Replay(
                        Path.of("access.log"),
                        1,
                        Optional.empty(),
                        new Workload.Unread(1, 0, List.of()));
        var step = new Workload.Step("a", "GET", "/", Map.of(), "", List.of(), List.of());
        var workload =
                new Workload(
                        List.of(new Workload.Journey("j", 1, List.of(step))),
                        Workload.Data.NONE,
                        Optional.of(replay));

        assertThatExceptionOfType(UserError.class)
                .isThrownBy(() -> fleet(LoadSpec.to(spec().url()).workload(workload).build()))
                .satisfies(e -> assertThat(e.what()).contains("1 mistake"));
    }
}
