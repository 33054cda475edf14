package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.observe.Measures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A real service with three knobs: one helps, one keeps the JVM from starting, and with one it
/// answers wrongly. A second tuning in the same folder measures nothing again.
@Measures
class TuneIT {
    @Test
    void resultHasOnlyChangesThatHelp(@TempDir Path folder) throws IOException {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(
                plan,
                """
                url: http://127.0.0.1:{port}/memory?bytes=1k&holdMs=20
                target: {launch: "%s -Xmx128m -cp %s dev.jdyno.lab.memory.Memory --max-threads 2 --port {port}"}
                warmup: {atLeast: 1s, atMost: 1s}
                rounds: {length: 2s, settle: 200ms, concurrency: [1, 4]}
                evidence: {window: 1s, dumps: 4}
                look: {profile: false}
                knobs:
                  - {name: threads, values: [2, 16], arg: "--max-threads {}"}
                  - {name: gone, values: ["", "-XX:+UseConcMarkSweepGC"], flag: "{}"}
                  - {name: other, values: [memory.Memory, traffic.Traffic], arg: "dev.jdyno.lab.{}"}
                """
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                System.getProperty("lab.jar")));
        Path out = folder.resolve("out");

        CliOutput said =
                CliOutput.jdyno(
                        "tune",
                        plan.toString(),
                        "--json",
                        "--quiet",
                        "--no-store",
                        // twice the time of one change, its comparison and its confirmation
                        "--budget",
                        "5m",
                        "--block",
                        "1s",
                        "--warmup",
                        "1s",
                        "--out",
                        out.toString());

        assertThat(said.code()).as(said.err()).isZero();
        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(outcome(json, "threads=16")).isEqualTo("accepted");
        assertThat(outcome(json, "gone=-XX:+UseConcMarkSweepGC")).isEqualTo("does-not-start");
        assertThat(outcome(json, "other=traffic.Traffic")).isEqualTo("infeasible");
        assertThat(json.toString()).contains("answers wrongly");
        JsonNode result = json.get("result");
        assertThat(result.get("changes").size()).isEqualTo(1);
        assertThat(result.get("ratio").asDouble()).isGreaterThan(1.5);
        assertThat(result.get("starts").asInt()).isGreaterThanOrEqualTo(3);
        assertThat(result.get("command").asString()).contains("--max-threads 16");
        assertThat(out.resolve("tune.json")).isNotEmptyFile();
        assertThat(out.resolve("report.html")).isNotEmptyFile();
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive)).isEmpty();

        List<String> journal = Files.readAllLines(out.resolve("journal.jsonl"));
        Path look = out.resolve("look");
        Files.move(look, folder.resolve("first-look"));
        CliOutput again = CliOutput.jdyno("tune", "--resume", out.toString(), "--json", "--quiet");
        JsonNode resumed = JsonMapper.shared().readTree(again.out());
        assertThat(resumed.get("result")).isEqualTo(result);
        assertThat(resumed.get("resumed").asBoolean()).isTrue();
        assertThat(Files.readAllLines(out.resolve("journal.jsonl"))).isEqualTo(journal);
        assertThat(look).as("the service is not started again").doesNotExist();
    }

    private static String outcome(JsonNode json, String says) {
        List<String> seen = new ArrayList<>();
        String outcome = "";
        for (JsonNode round : json.get("rounds")) {
            for (JsonNode tried : round.get("tried")) {
                seen.add(tried.get("says").asString());
                if (tried.get("says").asString().equals(says)) {
                    outcome = tried.get("outcome").asString();
                }
            }
        }
        assertThat(seen).contains(says);
        return outcome;
    }
}
