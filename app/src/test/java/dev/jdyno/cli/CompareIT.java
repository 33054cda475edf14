package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Two real services side by side, B with twice the CPU per request: verdict, ratio and what is
/// left running; never absolute times.
class CompareIT {
    @Test
    void twiceTheCpuPerRequestIsWorse(@TempDir Path folder) {
        String service =
                Path.of(System.getProperty("java.home"), "bin", "java")
                        + " -Xmx128m -cp "
                        + System.getProperty("lab.jar")
                        + " dev.jdyno.lab.perf.Perf --downstream http://127.0.0.1:9 --port {port}";
        Said said =
                Said.jdyno(
                        "compare",
                        "--json",
                        "--quiet",
                        "--concurrency",
                        "4",
                        "--rate",
                        "50",
                        "--block",
                        "2s",
                        "--budget",
                        "3m",
                        "--out",
                        folder.toString(),
                        "--url",
                        "http://127.0.0.1:{port}/perf?cpu=4",
                        "--url-b",
                        "http://127.0.0.1:{port}/perf?cpu=8",
                        "--a",
                        service,
                        "--b",
                        service);

        assertThat(said.code()).as(said.err()).isEqualTo(4);
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(json.get("verdict").asString()).isEqualTo("worse");
        assertThat(json.get("starts").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(json.get("metrics").get(0).get("ratio").asDouble()).isBetween(0.4, 0.65);
        assertThat(ratio(json, "cpuMsPerRequest")).isBetween(1.5, 2.4);
        assertThat(json.get("where").size()).isPositive();
        assertThat(folder.resolve("compare.json")).isNotEmptyFile();
        assertThat(folder.resolve("report.html")).isNotEmptyFile();
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
