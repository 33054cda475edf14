package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.observe.Measures;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The same service under our own load and under the user's load tools: the same name.
@Measures
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DriveIT {
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

    private static RunResult run(Path folder, LabService service, String... more) {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "run",
                                "--quiet",
                                "--pid",
                                Long.toString(service.pid()),
                                "--warmup",
                                "10s",
                                "--out",
                                folder.toString()));
        args.addAll(List.of(more));
        var out = new StringWriter();
        var err = new StringWriter();
        int code =
                Main.run(new PrintWriter(out), new PrintWriter(err), args.toArray(String[]::new));
        assertThat(code).as("exit code; it said: %s %s", out, err).isIn(0, 3);
        return ResultJson.read(folder.resolve("result.json"));
    }

    @ParameterizedTest
    @CsvSource({
        "wrk, /usr/bin/wrk -t1 -c{n} -d{seconds}s --latency",
        "ab, /usr/bin/ab -q -c{n} -t{seconds} -n 1000000 -e {out}"
    })
    void aPageThatBurnsCpuIsCpuBound(String tool, String command, @TempDir Path folder) {
        assumeThat(Path.of("/usr/bin/" + tool)).exists();
        LabService service = perf(100);
        String url = service.url("/perf?cpu=10&io=40").toString();
        RunResult result =
                run(
                        folder,
                        service,
                        "--concurrency",
                        "1,5,30,60",
                        "--drive",
                        command + " '" + url + "'");

        DriverFacts driver = result.recording().load().orElseThrow().driver().orElseThrow();
        assertThat(driver.source()).isEqualTo(tool);
        assertThat(result.target().missing()).containsAll(driver.missing());
        RunIT.assertNamed(result, Bottleneck.CPU);
    }

    @Test
    void aSmallPoolIsNamedThroughAProxyToo(@TempDir Path folder) throws IOException {
        assumeThat(Path.of("/usr/bin/wrk")).exists();
        LabService service = perf(4);
        int through;
        try (var free = new ServerSocket(0)) {
            through = free.getLocalPort();
        }
        String url =
                service.url("/perf?cpu=1&io=50")
                        .toString()
                        .replaceFirst(":\\d+/", ":" + through + "/");
        RunResult result =
                run(
                        folder,
                        service,
                        "--url",
                        service.url("/perf?cpu=1&io=50").toString(),
                        "--concurrency",
                        "1,4,8,16",
                        "--through",
                        Integer.toString(through),
                        "--drive",
                        "/usr/bin/wrk -t1 -c{n} -d{seconds}s '" + url + "'");

        RunIT.assertNamed(result, Bottleneck.THREAD_POOL);
    }
}
