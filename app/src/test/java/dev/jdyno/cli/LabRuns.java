package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Runs on services of the lab.
final class LabRuns implements AutoCloseable {
    private final Lab lab =
            Lab.open(
                    Optional.of(Path.of(System.getProperty("lab.jar"))),
                    Path.of(System.getProperty("java.home")));
    private final LabService downstream =
            lab.start("downstream.Downstream", List.of("-Xmx64m"), List.of("--port", "0"));

    Lab lab() {
        return lab;
    }

    LabService downstream() {
        return downstream;
    }

    LabService perf(int threads) {
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

    /// Starts the lab service and runs `jdyno run` on it.
    static RunResult run(Path folder, LabService service, String... more) {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                "--quiet",
                                "--pid",
                                Long.toString(service.pid()),
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
                .isLessThanOrEqualTo(TerminalReport.MAX_LINES);
        return ResultJson.read(folder.resolve("result.json"));
    }

    /// Asserts that the verdict names the planted bottleneck. If it names other processes instead,
    /// these must have used a large part of the machine, and the test is skipped.
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

    @Override
    public void close() {
        lab.close();
    }
}
