package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizeCommandTest {
    private static final String URL = "http://127.0.0.1:1/";

    private static CliOutput refused(String... args) {
        CliOutput said = CliOutput.jdyno(args);
        assertThat(said.code()).isEqualTo(2);
        return said;
    }

    @Test
    void aServiceThatIsNotLaunchedHasNoSize() {
        assertThat(refused("size", URL, "--rate", "10", "--goal", "p99<1s").err())
                .contains("--launch");
    }

    @Test
    void reportsAllMistakesOfTheCommandLine() {
        CliOutput said =
                refused(
                        "size",
                        URL,
                        "--launch",
                        "java -jar no.jar",
                        "--goal",
                        "p99<",
                        "--reserve",
                        "120%",
                        "--cpus",
                        "2..1",
                        "--memory",
                        "1k",
                        "--price",
                        "cpu=30",
                        "--replicas",
                        "0",
                        "--budget",
                        "1s");

        assertThat(said.err())
                .contains(
                        "--rate is missing",
                        "--goal",
                        "--reserve",
                        "--cpus",
                        "--memory",
                        "--price",
                        "--replicas 0",
                        "--budget");
    }

    @Test
    void aRateNeedsAGoal() {
        assertThat(refused("size", URL, "--launch", "java -jar no.jar", "--rate", "5/s").err())
                .contains("--goal is missing");
    }

    @Test
    void aLimitAboveTheMachineCannotBeTested() {
        CliOutput said =
                refused(
                        "size",
                        URL,
                        "--launch",
                        "java -jar no.jar",
                        "--rate",
                        "5/s",
                        "--goal",
                        "p99<1s",
                        "--cpus",
                        "1..1000",
                        "--memory",
                        "64m..4096g");

        assertThat(said.err()).contains("--cpus 1..1000", "--memory 64m..4096g");
    }
}
