package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.Measures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Two real services side by side, B with twice the CPU per request: verdict, ratio, its cause, and
/// that no process is left running. Absolute times are not checked.
@Measures
class CompareIT {
    private static Path plan(Path folder, String name, int cpuMs) throws IOException {
        return Files.writeString(
                folder.resolve(name + ".yaml"),
                """
                url: "http://127.0.0.1:{port}/perf?cpu=%d"
                target: {launch: "%s -Xmx128m -cp %s dev.jdyno.lab.perf.Perf --downstream http://127.0.0.1:9 --port {port}"}
                rounds: {settle: 200ms}
                evidence: {window: 1s, dumps: 5}
                """
                        .formatted(
                                cpuMs,
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("lab.jar")));
    }

    @Test
    void twiceTheCpuPerRequestIsWorse(@TempDir Path folder) throws IOException {
        Path out = folder.resolve("out");
        CliOutput said =
                CliOutput.jdyno(
                        "compare",
                        plan(folder, "a", 4).toString(),
                        plan(folder, "b", 8).toString(),
                        "--json",
                        "--quiet",
                        "--no-store",
                        "--primary",
                        "cpuMsPerRequest",
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
                        out.toString());

        assertThat(said.code()).as(said.err()).isEqualTo(4);
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.get("verdict").asString()).isEqualTo("worse");
        assertThat(json.get("starts").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(ratio(json, "qps")).isBetween(0.35, 0.75);
        assertThat(ratio(json, "cpuMsPerRequest")).isBetween(1.5, 2.4);
        assertThat(json.get("where").size()).isPositive();
        JsonNode difference = json.get("difference");
        assertThat(difference.get("breakdown").size()).isPositive();
        assertThat(difference.get("methods").get(0).get("application").asString())
                .contains("lab.work.Burn");
        assertThat(out.resolve("compare.json")).isNotEmptyFile();
        assertThat(out.resolve("report.html")).isNotEmptyFile();
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive)).isEmpty();
    }

    private static double ratio(JsonNode json, String name) {
        for (JsonNode metric : json.get("metrics")) {
            if (metric.get("name").asString().equals(name)) {
                return metric.get("ratio").asDouble();
            }
        }
        throw new AssertionError(name + " is not in " + json);
    }
}
