package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class MainTest {
    @Test
    void missingVerbIsUsageErrorWithVerbs() {
        CliOutput said = CliOutput.jdyno();

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("Missing verb").contains("demo").contains("run");
        assertThat(said.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "run",
                "load",
                "gc",
                "heap",
                "whatif",
                "report",
                "diagnose",
                "tune",
                "compare",
                "warm",
                "guard",
                "serve",
                "lab",
                "doctor"
            })
    void everyVerbOfTheContractHasHelp(String verb) {
        CliOutput said = CliOutput.jdyno(verb, "--help");

        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("jdyno " + verb);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "run",
                "load",
                "gc",
                "heap",
                "whatif",
                "report",
                "diagnose",
                "threads",
                "ps",
                "lab",
                "doctor"
            })
    void everyVerbHasTheOutputOptions(String verb) {
        assertThat(CliOutput.jdyno(verb, "--help").out())
                .contains("--quiet")
                .contains("--no-color");
    }

    @Test
    void listOfJvmsIsADocument() {
        CliOutput said = CliOutput.jdyno("ps", "--json");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(JsonMapper.shared().readTree(said.out()).get("schema").stringValue())
                .isEqualTo("jdyno/jvms/1");
    }

    @Test
    void theMistakesOfOneCommandLineAreAllReported() {
        CliOutput said =
                CliOutput.jdyno(
                        "run",
                        "--url",
                        "localhost",
                        "--round",
                        "ten",
                        "-H",
                        "nocolon",
                        "--pid",
                        "1",
                        "--no-target");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err())
                .contains("4 mistakes")
                .contains("'localhost' does not start with http")
                .contains("not a duration: 'ten'")
                .contains("'nocolon' has no colon")
                .contains(
                        "--pid | --launch | --observe | --k8s | --no-target: more than one of them");
    }

    @Test
    void loadToolAndRequestOptionsAreRefused() {
        String line = "run --url http://127.0.0.1:1/ --no-target -H A:b --drive w{n}{seconds}";

        CliOutput said = CliOutput.jdyno(line.split(" "));

        assertThat(said.code()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("--header", "--drive");
    }

    @Test
    void runAcceptsTheUrlAsAnArgumentLikeWrk() throws IOException {
        try (var noJvmOfOthers = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = noJvmOfOthers.getLocalPort();
            CliOutput lacksTarget = CliOutput.jdyno("run", "http://127.0.0.1:" + port + "/");

            assertThat(lacksTarget.code()).isEqualTo(2);
            assertThat(lacksTarget.err()).contains("listens on port " + port).contains("--pid");
        }
        assertThat(CliOutput.jdyno("run", "http://127.0.0.1:1/").code()).isEqualTo(1);
        assertThat(CliOutput.jdyno("run", "http://192.0.2.1/").err())
                .contains("--observe 192.0.2.1");
        assertThat(
                        CliOutput.jdyno(
                                        "run",
                                        "http://127.0.0.1:1/",
                                        "--url",
                                        "http://127.0.0.1:2/")
                                .err())
                .contains("two URLs are given");
    }

    @Test
    void reportsAllRefusedOptionsWithTheirFixes() {
        CliOutput said =
                CliOutput.jdyno("load", "--connections", "x", "--loops=y", "--duraton", "5");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err())
                .contains("jdyno load has 3 mistakes")
                .contains("--connections: 'x' is not a whole number")
                .contains("--loops: 'y' is not a whole number")
                .contains("--duraton: there is no such option")
                .contains("did you mean --duration?")
                .doesNotContain("Usage:");
    }

    @Test
    void namesMissingParameter() {
        assertThat(CliOutput.jdyno("load").err())
                .contains("URL: is missing")
                .contains("jdyno load --help");
        assertThat(CliOutput.jdyno("load", "http://127.0.0.1:1/", "-c").err())
                .contains("--connections: its value is missing");
    }

    @Test
    void rejectsUnknownVerb() {
        CliOutput said = CliOutput.jdyno("lod");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("lod: there is no such verb").contains("load");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "X", "X --help", "X --pid 4711", "load --help"})
    void unknownVerbGivesOneErrorForAnyArguments(String rest) {
        CliOutput said = CliOutput.jdyno(("replay " + rest).split(" "));

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("1 mistake\n", "replay: there is no such verb");
        assertThat(said.out()).isEmpty();
    }

    @Test
    void printsHelpDespiteOtherMistake() {
        CliOutput said = CliOutput.jdyno("load", "--help", "-c", "x");

        assertThat(said.code()).isZero();
        assertThat(said.out()).contains("Usage: jdyno load");
    }

    @Test
    void aPlanWithMistakesIsReportedWithLinesAndKeys(@TempDir Path folder) throws IOException {
        Path plan = folder.resolve("plan.yaml");
        Files.writeString(plan, "url: nowhere\nrounds: {length: 1s}\ntarget: {pid: -1}\n");

        CliOutput said = CliOutput.jdyno("run", plan.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err())
                .contains("plan.yaml:1 url")
                .contains("plan.yaml:2 rounds.length")
                .contains("plan.yaml:3 target.pid");
    }

    /// The service of a plan was restarted: `--pid` gives its new PID, and all else stays as
    /// planned.
    @Test
    void pidReplacesOnlyPidOfPlan(@TempDir Path folder) throws IOException {
        String url = "url: http://127.0.0.1:1/\n";
        long mine = ProcessHandle.current().pid();
        Path attached = folder.resolve("attached.yaml");
        Files.writeString(attached, url + "target: {pid: " + mine + "}\n");
        Path launched = folder.resolve("launched.yaml");
        Files.writeString(launched, url + "target: {launch: \"java -version\"}\n");

        CliOutput another =
                CliOutput.jdyno("run", attached.toString(), "--pid", "4194304", "--no-store");
        assertThat(another.code()).isNotZero();
        assertThat(another.err()).contains("4194304").doesNotContain(Long.toString(mine));
        CliOutput wrong = CliOutput.jdyno("run", launched.toString(), "--pid", "1");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("--pid 1");
    }

    @Test
    void everyMistakeInTheGoalsIsReported() {
        CliOutput said =
                CliOutput.jdyno(
                        "run",
                        "--url",
                        "http://127.0.0.1:1/",
                        "--no-target",
                        "--goal",
                        "p99<100,fast",
                        "--budget",
                        "20s",
                        "--precision",
                        "much",
                        "--start",
                        "-4",
                        "--concurrency",
                        "3",
                        "--round",
                        "5s");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err())
                .contains("7 mistakes")
                .contains("whose rates are driven until they are decided")
                .contains("--goal p99<100")
                .contains("'fast': not a goal")
                .contains("write 2m or more")
                .contains("--precision: 'much' is not a number")
                .contains("--start: '-4' is not a positive rate")
                .contains("searches open-model rates");
    }

    @ParameterizedTest
    @CsvSource({"run, --round", "compare, --min-effect", "tune, --min-effect"})
    void errorNamesItsVerb(String verb, String option) {
        CliOutput said = CliOutput.jdyno(verb, "--url", "http://127.0.0.1:1/", option, "much");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err())
                .contains("the command line of jdyno " + verb + " has")
                .contains("jdyno " + verb + " --help");
    }

    @Test
    void aBudgetWithoutAGoalIsRefused() {
        CliOutput said =
                CliOutput.jdyno(
                        "run", "--url", "http://127.0.0.1:1/", "--no-target", "--budget", "5m");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--budget: there is no goal to search under");
    }

    @Test
    void aPlanAndOptionsTogetherAreRefused() {
        assertThat(CliOutput.jdyno("run", "plan.yaml", "--url", "http://h/").code()).isEqualTo(2);
    }

    @Test
    void anUnknownExperimentIsAUsageError() {
        CliOutput said = CliOutput.jdyno("lab", "E99");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("there is no experiment 'E99'");
    }

    @Test
    void theLabListsAllExperiments() {
        CliOutput said = CliOutput.jdyno("lab");

        assertThat(said.code()).isZero();
        assertThat(said.out().lines()).hasSize(26);
    }

    @Test
    void unreachableUrlIsATargetError(@TempDir Path folder) {
        // port 1 on the loopback device: no process listens there
        CliOutput said =
                CliOutput.jdyno(
                        "run",
                        "--quiet",
                        "--url",
                        "http://127.0.0.1:1/",
                        "--no-target",
                        "--out",
                        folder.toString());

        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).contains("no process listens on 127.0.0.1:1").contains("fix:");
    }

    @Test
    void missingProcessIsTargetError(@TempDir Path folder) {
        CliOutput said =
                CliOutput.jdyno(
                        "run",
                        "--quiet",
                        "--url",
                        "http://127.0.0.1:1/",
                        "--pid",
                        "4194304",
                        "--out",
                        folder.toString());

        assertThat(said.code()).isBetween(1, 2);
        assertThat(said.err()).contains("4194304").contains("fix:");
    }
}
