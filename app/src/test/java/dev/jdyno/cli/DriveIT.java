package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.measure.FreePort;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.observe.Measures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One service under jdyno's own load and under load tools of the user: the verdict names the same
/// bottleneck.
@Measures
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DriveIT {
    private LabRuns runs;

    @BeforeAll
    void openTheLab() {
        runs = new LabRuns();
    }

    @AfterAll
    void closeTheLab() {
        runs.close();
    }

    @ParameterizedTest
    @CsvSource({
        "wrk, /usr/bin/wrk -t1 -c{n} -d{seconds}s --latency",
        "ab, /usr/bin/ab -q -c{n} -t{seconds} -n 1000000 -e {out}"
    })
    void aPageThatBurnsCpuIsCpuBound(String tool, String command, @TempDir Path folder) {
        assumeThat(Path.of("/usr/bin/" + tool)).exists();
        LabService service = runs.perf(100);
        String url = service.url("/perf?cpu=10&io=40").toString();
        RunResult result =
                LabRuns.run(
                        folder,
                        service,
                        "--round",
                        "3s",
                        "--warmup",
                        "6s",
                        "--concurrency",
                        "1,10,40",
                        "--drive",
                        command + " '" + url + "'");

        DriverFacts driver = result.recording().load().orElseThrow().driver().orElseThrow();
        assertThat(driver.source()).isEqualTo(tool);
        assertThat(result.target().missing()).containsAll(driver.missing());
        LabRuns.assertNamed(result, Bottleneck.CPU);
    }

    /// The processes of this test and of its lab.
    private static List<ProcessHandle> running() {
        return ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).toList();
    }

    private static Path planOf(Path folder, String name, int cpuMs) throws IOException {
        return Files.writeString(
                folder.resolve(name + ".yaml"),
                """
                url: "http://127.0.0.1:{port}/perf?cpu=%1$d"
                target: {launch: "%2$s -Xmx128m -cp %3$s dev.jdyno.lab.perf.Perf --downstream http://127.0.0.1:9 --port {port}"}
                drive: "/usr/bin/wrk -t1 -c{n} -d{seconds}s --latency 'http://127.0.0.1:{port}/perf?cpu=%1$d'"
                evidence: {window: 1s, dumps: 5}
                """
                        .formatted(
                                cpuMs,
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("lab.jar")));
    }

    @Test
    void twiceTheCpuPerRequestIsWorseUnderLoadOfWrk(@TempDir Path folder) throws IOException {
        assumeThat(Path.of("/usr/bin/wrk")).exists();
        List<ProcessHandle> before = running();
        CliOutput said =
                CliOutput.jdyno(
                        "compare",
                        planOf(folder, "a", 4).toString(),
                        planOf(folder, "b", 8).toString(),
                        "--json",
                        "--quiet",
                        "--no-store",
                        "--no-look",
                        "--primary",
                        "cpuMsPerRequest",
                        "--concurrency",
                        "4",
                        "--block",
                        "2s",
                        "--warmup",
                        "4s",
                        "--budget",
                        "3m",
                        "--out",
                        folder.resolve("out").toString());

        assertThat(said.code()).as(said.err()).isEqualTo(4);
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.get("verdict").asString()).isEqualTo("worse");
        Map<String, Double> ratios = new HashMap<>();
        for (JsonNode metric : json.get("metrics")) {
            ratios.put(metric.get("name").asString(), metric.get("ratio").asDouble(0));
        }
        assertThat(ratios).containsKeys("qps", "driverP50").doesNotContainKeys("p50", "p99");
        assertThat(ratios.get("cpuMsPerRequest")).isBetween(1.5, 2.4);
        assertThat(ratios.get("driverP50")).isGreaterThan(1.2);
        assertThat(json.get("ratePerS").isNull()).isTrue();
        assertThat(json.get("notes").toString()).contains("wrk");
        assertThat(running()).as("services and load tools that were left").isSubsetOf(before);
    }

    @Test
    void aSmallPoolIsNamedThroughAProxyToo(@TempDir Path folder) throws IOException {
        assumeThat(Path.of("/usr/bin/wrk")).exists();
        LabService service = runs.perf(4);
        int through = FreePort.get();
        String url =
                service.url("/perf?cpu=1&io=50")
                        .toString()
                        .replaceFirst(":\\d+/", ":" + through + "/");
        RunResult result =
                LabRuns.run(
                        folder,
                        service,
                        "--round",
                        "3s",
                        "--warmup",
                        "6s",
                        "--url",
                        service.url("/perf?cpu=1&io=50").toString(),
                        "--concurrency",
                        "1,4,8,16",
                        "--through",
                        Integer.toString(through),
                        "--drive",
                        "/usr/bin/wrk -t1 -c{n} -d{seconds}s '" + url + "'");

        LabRuns.assertNamed(result, Bottleneck.THREAD_POOL);
    }
}
