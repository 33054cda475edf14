package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuneCommandTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tune | --url",
                "tune --url http://127.0.0.1:1/ | --launch",
                "tune --url http://127.0.0.1:{port}/ --launch x | {port}",
                "tune --url nonsense --launch x | --url",
                "tune --url http://127.0.0.1:1/ --launch x --budget 1m | --budget",
                "tune --url http://127.0.0.1:1/ --launch x --budget 60m --block 500ms --warmup never | --block,--warmup",
                "tune --url http://127.0.0.1:1/ --launch x --goal p75<1ms --improve speed | --goal,--improve",
                "tune --url http://127.0.0.1:1/ --launch x --goal fast | --goal"
            })
    void allMistakesAreNamedAtOnce(String line, String named) {
        CliOutput said = CliOutput.jdyno(line.split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(named.split(","));
    }

    @ParameterizedTest
    @CsvSource({"--goal p99<1s,--goal", "--improve rt,--improve rt"})
    void loadToolSendsNoRateForGoalOrResponseTime(String option, String named) throws IOException {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(
                plan,
                """
                url: "http://127.0.0.1:{port}/"
                target: {launch: "java -jar a.jar {port}"}
                drive: "wrk -c{n} -d{seconds}s http://127.0.0.1:{port}/"
                """);

        CliOutput said = CliOutput.jdyno(("tune " + plan + " " + option).split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(named, "drive:");
    }

    @Test
    void onePortOfProxyDoesNotServeCandidateAndServiceAtOnce() throws IOException {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(
                plan,
                """
                url: "http://127.0.0.1:{port}/"
                target: {launch: "false {port}"}
                drive: {command: "k6 {n} {seconds}", through: 8090}
                """);

        CliOutput said =
                CliOutput.jdyno("tune", plan.toString(), "--out", folder.resolve("out").toString());

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("through:", "{port}");
    }

    @Test
    void aServiceThatRunsAlreadyIsNotTuned() throws IOException {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(plan, "url: http://127.0.0.1:1/\ntarget: {pid: 4711}\n");

        CliOutput said = CliOutput.jdyno("tune", plan.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("target");
    }

    @Test
    void resumesOnlyATuning() {
        CliOutput said = CliOutput.jdyno("tune", "--resume", folder.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains(folder.toString());
    }

    @Test
    void resumesWithItsSettings() throws IOException {
        Files.writeString(
                folder.resolve("plan.yaml"),
                "url: http://127.0.0.1:{port}/\ntarget: {launch: \"false {port}\"}\n");

        CliOutput other =
                CliOutput.jdyno(
                        "tune", "--resume", folder.toString(), "--goal", "p99<1s", "--block", "1s");
        CliOutput without = CliOutput.jdyno("tune", "--resume", folder.toString());

        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err()).contains("--goal").contains("--block");
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err()).contains("settings.json");
    }

    @Test
    void refusesBudgetBelowOneComparison() {
        CliOutput said = CliOutput.jdyno("lab", "E9", "--tune", "--budget", "1m");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--budget");
    }

    @Test
    void failedServiceStartEndsTuning() {
        CliOutput said =
                CliOutput.jdyno(
                        "tune",
                        "--quiet",
                        "--out",
                        folder.resolve("out").toString(),
                        "--url",
                        "http://127.0.0.1:{port}/",
                        "--launch",
                        "echo no such service {port}; exit 7");

        assertThat(said.code()).as(said.err()).isEqualTo(1);
        assertThat(said.err()).contains("no such service").contains("7");
    }
}
