package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmCommandTest {
    private static CliOutput refused(String... args) {
        CliOutput said = CliOutput.jdyno(args);
        assertThat(said.code()).isEqualTo(2);
        return said;
    }

    @Test
    void aUrlWithoutALaunchHasNoStartToMeasure() {
        assertThat(refused("warm", "http://127.0.0.1:1/").err()).contains("--launch");
    }

    @Test
    void reportsAllMistakesOfCommandLine() {
        CliOutput said =
                refused(
                        "warm",
                        "http://127.0.0.1:1/",
                        "--launch",
                        "java -jar no.jar",
                        "--try",
                        "cds,magic",
                        "--starts",
                        "0",
                        "--length",
                        "1s",
                        "--concurrency",
                        "0");

        assertThat(said.err()).contains("magic", "--starts", "--length", "--concurrency");
    }

    @Test
    void budgetMustHaveTimeForOneStartOfEach() {
        assertThat(
                        refused(
                                        "warm",
                                        "http://127.0.0.1:1/",
                                        "--launch",
                                        "java -jar no.jar",
                                        "--try",
                                        "cds,aot",
                                        "--budget",
                                        "1m")
                                .err())
                .contains("--budget 1m", "2m");
    }

    @Test
    void optionNoneExcludesOthers() {
        assertThat(
                        refused(
                                        "warm",
                                        "http://127.0.0.1:1/",
                                        "--launch",
                                        "java -jar no.jar",
                                        "--try",
                                        "none,cds")
                                .err())
                .contains("--try none");
    }
}
