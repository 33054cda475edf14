package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.observe.Measures;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A run with a real Tomcat, a real load and an observed JVM, in small numbers. It asserts verdicts
/// and ratios, never absolute times.
@Measures
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunIT {
    private LabRuns runs;

    @BeforeAll
    void openTheLab() {
        runs = new LabRuns();
    }

    @AfterAll
    void closeTheLab() {
        runs.close();
    }

    private static RunResult run(Path folder, LabService service, String page, String... more) {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "--url",
                                service.url(page).toString(),
                                "--round",
                                "2s",
                                "--warmup",
                                "4s"));
        args.addAll(Arrays.asList(more));
        return LabRuns.run(folder, service, args.toArray(String[]::new));
    }

    @Test
    void cpuBoundPageHasKneeNearFormula(@TempDir Path folder) {
        RunResult result =
                run(folder, runs.perf(100), "/perf?cpu=10&io=40", "--concurrency", "1,5,10,30,60");

        LabRuns.assertNamed(result, Bottleneck.CPU);
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

    /// Services whose threads mostly wait, so that several can be measured at the same time.
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class OfServicesThatWait {
        @Test
        void aLockedSectionIsNamedAsALock(@TempDir Path folder) {
            RunResult result =
                    run(
                            folder,
                            runs.perf(100),
                            "/lock?ms=20&cpu=1&io=20",
                            "--concurrency",
                            "1,2,8,16");

            LabRuns.assertNamed(result, Bottleneck.LOCK);
            Round last = result.rounds().getLast();
            assertThat(last.qps() * 0.020).as("F2: X = 1 / hold time").isBetween(0.7, 1.05);
        }

        @Test
        void namesPoolOfFourWaitingThreads(@TempDir Path folder) {
            RunResult result =
                    run(folder, runs.perf(4), "/perf?cpu=1&io=50", "--concurrency", "1,4,8,16");

            LabRuns.assertNamed(result, Bottleneck.THREAD_POOL);
        }

        @Test
        void aDownstreamWithTwoSlotsIsNamedWithItsAddress(@TempDir Path folder) {
            LabService narrow =
                    runs.lab()
                            .start(
                                    "downstream.Downstream",
                                    List.of("-Xmx64m"),
                                    List.of("--port", "0", "--slots", "2"));
            LabService service =
                    runs.lab()
                            .start(
                                    "perf.Perf",
                                    List.of("-Xmx256m"),
                                    List.of(
                                            "--port",
                                            "0",
                                            "--downstream",
                                            "http://127.0.0.1:" + narrow.port()));

            RunResult result =
                    run(folder, service, "/perf?cpu=1&io=40", "--concurrency", "1,4,8,16");

            LabRuns.assertNamed(result, Bottleneck.DOWNSTREAM);
            assertThat(result.verdict().where()).contains(Integer.toString(narrow.port()));
        }

        @Test
        void reportsClientFiguresWithoutTarget(@TempDir Path folder) throws Exception {
            var out = new StringWriter();
            int code =
                    Main.run(
                            new PrintWriter(out),
                            new PrintWriter(new StringWriter()),
                            "run",
                            "--json",
                            "--no-target",
                            "--url",
                            "http://127.0.0.1:" + runs.downstream().port() + "/wait?ms=5",
                            "--concurrency",
                            "1,2",
                            "--round",
                            "2s",
                            "--warmup",
                            "2s",
                            "--out",
                            folder.toString());

            // a busy machine makes the figures invalid (3), and they are reported all the same
            assertThat(code).isIn(0, 3);
            assertThat(out.toString()).startsWith("{").contains("\"schema\": \"jdyno/result/1\"");
            assertThat(Files.readString(folder.resolve("plan.yaml"))).contains("no target");
        }
    }
}
