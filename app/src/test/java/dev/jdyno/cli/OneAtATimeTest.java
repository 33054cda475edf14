package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.Target;
import dev.jdyno.target.TargetLock;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// Two jdyno processes with one target: the second one refuses to start unless it has `--force`.
class OneAtATimeTest {
    @TempDir Path dir;
    private Target target;
    private TargetLock first;

    @BeforeEach
    void anotherJdynoWorksOnTheTarget() throws Exception {
        target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep", "-Xmx64m");
        first = ((TargetLock.Outcome.Held) TargetLock.take(target)).lock();
    }

    @AfterEach
    void end() {
        first.close();
        target.close();
    }

    private CliOutput diagnose(String... more) {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "diagnose",
                                Long.toString(target.pid()),
                                "--duration",
                                "3s",
                                "--dumps",
                                "3",
                                "--json",
                                "--quiet"));
        args.addAll(Arrays.asList(more));
        return CliOutput.jdyno(args.toArray(String[]::new));
    }

    @Test
    void refusesSecondDiagnosisAndNamesFirst() {
        CliOutput said = diagnose();

        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out()).isEmpty();
        assertThat(said.err())
                .contains(
                        "process " + target.pid(),
                        "process " + ProcessHandle.current().pid(),
                        "user " + System.getProperty("user.name"),
                        "since ",
                        "--force");
    }

    @Test
    void runRefusesBeforeSendingOrStarting() throws Exception {
        CliOutput said =
                CliOutput.jdyno(
                        "run",
                        "http://127.0.0.1:1/",
                        "--pid",
                        Long.toString(target.pid()),
                        "--quiet",
                        "--out",
                        dir.resolve("out").toString());

        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err()).contains("process " + ProcessHandle.current().pid(), "--force");
        assertThat(dir.resolve("out/result.json")).doesNotExist();
        assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno");
    }

    @Test
    void forcedRunContinuesAndIsMarked() throws Exception {
        CliOutput said = diagnose("--force");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(JsonMapper.shared().readTree(said.out()).at("/warnings").toString())
                .contains("measured beside", "process " + ProcessHandle.current().pid());
    }

    @Tag("full") // whole runs one after another
    @Test
    void threadsCommandNeedsNoLock() {
        CliOutput said =
                CliOutput.jdyno(
                        "threads",
                        Long.toString(target.pid()),
                        "--duration",
                        "1s",
                        "--dumps",
                        "2",
                        "--json");

        assertThat(said.code()).as(said.err()).isZero();
    }

    @Tag("full") // whole runs one after another
    @Test
    void secondCommandMayStartAfterTheFirstHasEnded() {
        first.close();

        assertThat(diagnose().code()).isZero();
        assertThat(diagnose().code()).isZero();
    }
}
