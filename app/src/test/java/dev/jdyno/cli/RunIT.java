package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.observe.Measures;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The real path with small numbers: real Tomcat, real load, a real JVM watched; asserts verdicts
/// and ratios, never absolute times.
@Measures
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunIT {
    private Lab lab;
    private LabService downstream;

    @BeforeAll
    void openTheLab() {
        lab =
                Lab.open(
                        Optional.of(Path.of(System.getProperty("lab.jar"))),
                        Path.of(System.getProperty("java.home")));
        downstream = lab.start("downstream.Downstream", List.of("-Xmx64m"), List.of("--port", "0"));
    }

    @AfterAll
    void closeTheLab() {
        lab.close();
    }

    private LabService perf(int threads) {
        return lab.start(
                "perf.Perf",
                List.of("-Xmx256m"),
                List.of(
                        "--port",
                        "0",
                        "--max-threads",
                        Integer.toString(threads),
                        "--downstream",
                        "http://127.0.0.1:" + downstream.port()));
    }

    private static RunResult run(Path folder, LabService service, String page, String... more) {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                "--quiet",
                                "--url",
                                service.url(page).toString(),
                                "--pid",
                                Long.toString(service.pid()),
                                "--round",
                                "2s",
                                "--warmup",
                                "4s",
                                "--out",
                                folder.toString()));
        args.addAll(Arrays.asList(more));
        var out = new StringWriter();
        var err = new StringWriter();
        int code =
                Main.run(new PrintWriter(out), new PrintWriter(err), args.toArray(String[]::new));
        assertThat(code).as("exit code; it said: %s %s", out, err).isIn(0, 3);
        assertThat(out.toString().lines().count())
                .as("one screenful")
                .isLessThanOrEqualTo(TerminalReport.MOST_LINES);
        return ResultJson.read(folder.resolve("result.json"));
    }

    /// The planted name, or the proof that the machine was not ours while we measured: then nothing
    /// can be said of the service, which is what the verdict must say.
    static void assertNamed(RunResult result, Bottleneck planted) {
        if (result.verdict().bottleneck() == Bottleneck.CPU_NEIGHBOUR) {
            double others =
                    result.rounds().stream()
                            .flatMap(r -> r.cpu().stream())
                            .mapToDouble(
                                    c -> c.otherCores() + c.stealPct() / 100 * c.availableCores())
                            .max()
                            .orElseThrow();
            assertThat(others / result.machine().cores()).isGreaterThan(0.25);
            assumeThat(others)
                    .as("not judged: others held the machine: %s", result.verdict().evidence())
                    .isLessThan(0.25);
        }
        assertThat(result.verdict().bottleneck())
                .as("%s of %s", result.verdict(), result.rounds())
                .isEqualTo(planted);
    }

    @Test
    void aPageThatBurnsCpuIsCpuBoundAndItsKneeIsNearF1(@TempDir Path folder) {
        RunResult result =
                run(folder, perf(100), "/perf?cpu=10&io=40", "--concurrency", "1,5,10,30,60");

        assertNamed(result, Bottleneck.CPU);
        assertThat(result.knee()).isPresent();
        assertThat(result.whatIf().getFirst().qps() / result.knee().get().qps())
                .as("halving CPU doubles QPS")
                .isBetween(1.6, 2.4);
        assertThat(result.target().means()).contains("attach");
        assertThat(result.rounds()).allMatch(r -> r.errors() == 0 && r.gc().isPresent());
        assertThat(folder.resolve("report.html")).exists();
        assertThat(folder.resolve("latency.hlog")).isNotEmptyFile();
        assertThat(folder.resolve("plan.yaml")).isNotEmptyFile();
    }

    /// Services whose threads wait while they are measured, so that they can be measured side by
    /// side.
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class OfServicesThatWait {
        @Test
        void aLockedSectionIsNamedAsALock(@TempDir Path folder) {
            RunResult result =
                    run(folder, perf(100), "/lock?ms=20&cpu=1&io=20", "--concurrency", "1,2,8,16");

            assertNamed(result, Bottleneck.LOCK);
            Round last = result.rounds().getLast();
            assertThat(last.qps() * 0.020).as("F2: X = 1 / hold time").isBetween(0.7, 1.05);
        }

        @Test
        void fourThreadsOverAWaitAreNamedAsTheThreadPool(@TempDir Path folder) {
            RunResult result =
                    run(folder, perf(4), "/perf?cpu=1&io=50", "--concurrency", "1,4,8,16");

            assertNamed(result, Bottleneck.THREAD_POOL);
        }

        @Test
        void aDownstreamWithTwoSlotsIsNamedWithItsAddress(@TempDir Path folder) {
            LabService narrow =
                    lab.start(
                            "downstream.Downstream",
                            List.of("-Xmx64m"),
                            List.of("--port", "0", "--slots", "2"));
            LabService service =
                    lab.start(
                            "perf.Perf",
                            List.of("-Xmx256m"),
                            List.of(
                                    "--port",
                                    "0",
                                    "--downstream",
                                    "http://127.0.0.1:" + narrow.port()));

            RunResult result =
                    run(folder, service, "/perf?cpu=1&io=40", "--concurrency", "1,4,8,16");

            assertNamed(result, Bottleneck.DOWNSTREAM);
            assertThat(result.verdict().where()).contains(Integer.toString(narrow.port()));
        }

        @Test
        void noTargetStillGivesTheClientsSide(@TempDir Path folder) throws Exception {
            var out = new StringWriter();
            int code =
                    Main.run(
                            new PrintWriter(out),
                            new PrintWriter(new StringWriter()),
                            "run",
                            "--json",
                            "--no-target",
                            "--url",
                            "http://127.0.0.1:" + downstream.port() + "/wait?ms=5",
                            "--concurrency",
                            "1,2",
                            "--round",
                            "2s",
                            "--warmup",
                            "2s",
                            "--out",
                            folder.toString());

            assertThat(code).isZero();
            assertThat(out.toString()).startsWith("{").contains("\"schema\": \"jdyno/result/1\"");
            assertThat(Files.readString(folder.resolve("plan.yaml"))).contains("no target");
        }
    }
}
