package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DiagnoseCommandTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aLockIsNamedByWatchingAloneAndNothingIsStartedInTheTarget(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "lock-over-sleep", "-Xmx64m")) {
            Said said =
                    Said.jdyno(
                            "diagnose",
                            Long.toString(target.pid()),
                            "--duration",
                            "3s",
                            "--dumps",
                            "5",
                            "--json",
                            "--quiet");

            assertThat(said.code()).as(said.err()).isZero();
            JsonNode document = JsonMapper.shared().readTree(said.out());
            assertThat(document.at("/verdict/bottleneck").stringValue()).isEqualTo("lock");
            assertThat(document.at("/inFlight").doubleValue()).isGreaterThan(1);
            assertThat(document.at("/throughputPerS").isNull()).isTrue();
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("jdyno");
        }
    }

    @Test
    void everyMistakeIsNamedAtOnce() {
        Said said = Said.jdyno("diagnose", "1", "--duration", "1s", "--dumps", "0");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("2 mistakes", "--duration", "--dumps");
    }
}
