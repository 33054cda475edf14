package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.report.json.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompareCommandTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "compare | --url",
                "compare --url http://127.0.0.1:1/ | --a,B",
                "compare --url http://127.0.0.1:1/ --a x | B",
                "compare --url http://127.0.0.1:1/ --a x --pid-a 1 --b y | --pid-a",
                "compare --url http://127.0.0.1:1/ --pid-a 1 --pid-b 2 --flags-b -Xint | --flags-b,--url-b",
                "compare --url http://127.0.0.1:1/ --a x --b y --primary speed | --primary",
                "compare --url http://127.0.0.1:1/ --a x --b y --budget 5s --block 1s | --budget,--block",
                "compare --url http://127.0.0.1:1/ --a x --b y --concurrency 0 --rate 0 | --concurrency,--rate",
                "compare --url nonsense --a x --b y | --url",
                "compare --url http://127.0.0.1:{port}/ --a x --b y | {port}",
                "compare --drive w{n}{seconds}http://127.0.0.1:{port}/ --a x{port} --b y{port} --goal p99<1s | --goal",
                "compare --drive w{n}{seconds}http://127.0.0.1:{port}/ --a x{port} --b y{port} --url-b http://127.0.0.1:{port}/new | --url-b,port",
                "compare --drive w{n}{seconds}http://127.0.0.1:{port}/ --a x{port} --b y{port} --rate 5 --primary p99 | --rate,--primary",
                "compare --drive w{n}{seconds} --url http://127.0.0.1:{port}/ --a x{port} --b y{port} | --drive,no {port},write {port}",
                "compare --drive w{n}{seconds}{port} --url http://127.0.0.1:1/ --pid-a 1 --pid-b 2 | --url-b",
                "compare --drive w{n}{seconds}http://127.0.0.1:{port}/ --pid-a 1 --pid-b 2 | --url",
                "compare --drive w --url http://127.0.0.1:1/ --a x --b y | {n} and {seconds}",
                "compare --through 8090 --url http://127.0.0.1:1/ --a x --b y | --through",
                "compare --url http://127.0.0.1:1/ --a x --b y --primary driverP99 | --primary,--drive",
                "compare a.yaml b.yaml c.yaml | c.yaml",
                "compare --url http://app1:{port}/ --observe app1:4711 --a launch:a --b launch:b | --key-file",
                "compare --url http://app1:{port}/ --observe app1:4711 --key-file k | --a,--launch",
                "compare --url http://app1:{port}/ --observe app1:4711 --key-file k --a launch:a | B",
                "compare --url http://app1:{port}/ --observe app1:4711 --key-file k --a launch:a --b java | --b,--launch",
                "compare --url http://app1:{port}/ --observe app1:4711 --key-file k --a launch:a --b -XX:+UseZGC | --b,flag,--launch",
                "compare --url http://app1:{port}/ --observe app1:4711 --key-file k --a launch:a --flags-b -XX:+UseZGC | --flags-b,flag,--launch",
                "compare --url http://app1:{port}/ --observe app1:4711 --key-file k --a launch:a --pid-b 7 | --pid-b",
                "compare --url http://app1:{port}/ --observe app1:4711 --key-file k --a launch:a;id --b launch: | launch:a;id,--b launch:",
                "compare --url http://app1:{port}/ --observe app1:4711:port=8080 --key-file k --a launch:a --b launch:b | --observe",
                "compare --url http://app1:8080/ --observe app1:4711 --key-file k --a launch:a --b launch:b | {port}",
                "compare --url http://app1:{port}/ --url-b http://app1:8081/ --observe app1:4711 --key-file k --a launch:a --b launch:b | --url-b,{port}",
                "compare --url http://app1:{port}/ --url-b http://app2:{port}/ --observe app1:4711 --key-file k --a launch:a --b launch:b | --url-b,host",
                "compare --url http://app1:1/ --a launch:a --b launch:b | --observe",
                "compare --drive w{n}{seconds}{port} --url http://app1:{port}/ --observe app1:4711 --key-file k --a launch:a --b launch:b | --drive"
            })
    void allMistakesAreNamedAtOnce(String line, String named) {
        CliOutput said = CliOutput.jdyno(line.split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains(named.split(","));
    }

    /// The launch command of a plan runs on this host, not on the agent's host.
    @Test
    void refusesLaunchOfPlanWithAgent() throws IOException {
        Path plan =
                Files.writeString(
                        folder.resolve("a.yaml"),
                        "url: 'http://127.0.0.1:{port}/'\ntarget: {launch: 'java {port}'}\n");

        CliOutput said =
                CliOutput.jdyno(
                        "compare",
                        plan.toString(),
                        "--observe",
                        "app1:4711",
                        "--key-file",
                        "k",
                        "--b",
                        "launch:b");

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("--a:", "--launch");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--drive w{n}{seconds}{port} --url http://127.0.0.1:8080/a --url-b http://127.0.0.1:8081/a --a x --b y",
                "--drive w{n}{seconds}{port} --url http://127.0.0.1:8080 --url-b http://127.0.0.1:8081/ --a x --b y",
                "--url http://app1:{port}/a --url-b http://app1:{port}/b --observe app1:4711 --key-file k --a launch:a --b launch:b"
            })
    void takesUrlOfBThatHasAnEffect(String options) {
        CliOutput said = CliOutput.jdyno(("compare --rate 0 " + options).split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("--rate").doesNotContain("--url-b");
    }

    /// A load tool of the command line does not send what the plan describes.
    @Test
    void refusesLoadToolForRequestsOfPlan() throws IOException {
        Path plan =
                Files.writeString(
                        folder.resolve("a.yaml"),
                        """
                        url: 'http://127.0.0.1:{port}/'
                        target: {launch: 'false {port}'}
                        headers: {Accept: text/plain}
                        """);
        String line = "compare " + plan + " --flags-b -Xint --drive w{n}{seconds}{port}";

        CliOutput said = CliOutput.jdyno(line.split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("--drive", "headers");
    }

    @Test
    void failedServiceStartIsTargetError() {
        CliOutput said =
                CliOutput.jdyno(
                        "compare",
                        "--quiet",
                        "--out",
                        folder.resolve("out").toString(),
                        "--url",
                        "http://127.0.0.1:{port}/",
                        "--a",
                        "echo no such service {port}; exit 7",
                        "--flags-b",
                        "-Xint");

        assertThat(said.code()).as(said.err()).isEqualTo(1);
        assertThat(said.err()).contains("no such service").contains("7");
    }

    @Test
    void twoStoredResultsAreCompared() throws IOException {
        Path a = folder.resolve("a.json");
        Path b = folder.resolve("b.json");
        ResultJson.write(ResultFixture.e1(), a);
        ResultJson.write(ResultFixture.e1(), b);

        CliOutput said = CliOutput.jdyno("compare", "--json", a.toString(), b.toString());

        JsonNode json = JsonMapper.shared().readTree(said.out());
        assertThat(said.code()).isEqualTo(3);
        assertThat(json.get("verdict").asString()).isEqualTo("inconclusive");
        assertThat(json.get("metrics").get(0).get("ratio").asDouble()).isEqualTo(1);
        assertThat(json.get("notes").size()).isEqualTo(1);
    }
}
