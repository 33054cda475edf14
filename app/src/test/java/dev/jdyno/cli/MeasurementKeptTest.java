package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.jdyno.cli.terminal.Interrupt;
import dev.jdyno.cli.terminal.OutputOptions;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// If the judgement or the report of a measurement fails, `result.json` still contains the
/// measurement.
@Execution(ExecutionMode.CONCURRENT)
class MeasurementKeptTest {
    @TempDir private Path folder;
    private HttpServer server;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private DynoRun run() {
        var options = new OutputOptions();
        new picocli.CommandLine(options).parseArgs("--quiet", "--out", folder.toString());
        return new DynoRun(options, new PrintWriter(out), new PrintWriter(err), "jdyno run");
    }

    private int run(DynoRun run) throws IOException, InterruptedException {
        Plan plan =
                Plan.of("kept", url(), new Plan.TargetPlan.None())
                        .withWarmup(new Plan.Warmup(Duration.ofMillis(1), Duration.ofSeconds(1), 1))
                        .withRounds(
                                new Plan.Rounds(
                                        Duration.ofSeconds(2),
                                        Duration.ofMillis(50),
                                        List.of(1),
                                        1));
        try (var interrupt = new Interrupt()) {
            return run.run(plan, interrupt);
        }
    }

    private RunResult kept() {
        return ResultJson.read(folder.resolve("result.json"));
    }

    @Test
    void keepsRoundsIfJudgementRunsOutOfMemory() {
        var before = new AtomicReference<Optional<RunResult>>(Optional.empty());
        DynoRun broken =
                run().judging((_, _, _) -> {
                    before.set(Optional.of(kept()));
                    throw new OutOfMemoryError("planted");
                });

        assertThatThrownBy(() -> run(broken))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(UserError.Kind.INVALID);
                            assertThat(e.what()).contains("out of memory");
                            assertThat(e.fix()).contains("JDYNO_OPTS");
                        });

        assertThat(before.get().orElseThrow().rounds())
                .as("written before it was judged")
                .hasSize(1);
        assertThat(kept().rounds()).hasSize(1).allMatch(r -> r.requests() > 0);
        assertThat(kept().validity().ok()).isFalse();
        assertThat(kept().validity().warnings())
                .anyMatch(w -> w.id().equals("not-explained") && w.says().contains("memory"));
        assertThat(out.toString()).contains("NOT VALID");
        assertThat(folder.resolve("report.html")).isNotEmptyFile();
    }

    @Tag("full") // a whole run
    @Test
    void reportsOwnFaultInJudgement() {
        DynoRun broken =
                run().judging((_, _, _) -> {
                    throw new IllegalStateException("planted");
                });

        assertThatThrownBy(() -> run(broken))
                .isInstanceOfSatisfying(
                        UserError.class,
                        e -> {
                            assertThat(e.why()).contains("planted");
                            assertThat(e.fix()).contains("--debug");
                            assertThat(e.getCause()).hasMessage("planted");
                        });

        assertThat(kept().rounds()).hasSize(1);
    }

    @Tag("full") // a whole run
    @Test
    void unwritableReportKeepsResultAndOutput() throws IOException {
        Files.createDirectory(folder.resolve("report.html"));

        assertThatThrownBy(() -> run(run()))
                .isInstanceOfSatisfying(
                        UserError.class, e -> assertThat(e.what()).contains("report.html"));

        assertThat(kept().validity().warnings()).noneMatch(w -> w.id().equals("not-explained"));
        assertThat(kept().rounds()).hasSize(1);
        assertThat(out.toString()).contains("Bottleneck");
    }

    @Test
    void judgesResultWithoutFailure() throws Exception {
        // the code is 3 if other processes use the machine meanwhile
        assertThat(run(run())).isIn(0, 3);

        assertThat(kept().validity().warnings()).noneMatch(w -> w.id().equals("not-explained"));
    }
}
