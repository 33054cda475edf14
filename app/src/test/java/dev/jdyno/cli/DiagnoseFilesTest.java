package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DiagnoseFilesTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    /// Thread dumps, a flight recording and a GC log of a real JVM, made with the tools of its JDK.
    @Tag("full") // starts a JVM of each JDK and records it
    @ParameterizedTest
    @MethodSource("jdks")
    void theFilesOfARealJvmNameItsLock(Path jdk) throws Exception {
        Path files = Files.createDirectory(dir.resolve("files"));
        try (Target target =
                Victims.launch(
                        jdk,
                        dir,
                        "lock-over-sleep",
                        "-Xmx64m",
                        "-Xlog:gc*:file=" + files.resolve("gc.log") + ":time,uptime,level,tags")) {
            target.jcmd().run("JFR.start name=elsewhere settings=default");
            for (int i = 0; i < 10; i++) {
                Files.writeString(
                        files.resolve("dump-" + i + ".txt"), target.jcmd().run("Thread.print"));
            }
            target.jcmd().run("JFR.dump name=elsewhere filename=" + files.resolve("recording.jfr"));
        }

        CliOutput all =
                CliOutput.jdyno("diagnose", "--files", files.toString(), "--json", "--no-store");
        CliOutput recording =
                CliOutput.jdyno(
                        "diagnose",
                        "--files",
                        files.resolve("recording.jfr").toString(),
                        "--json",
                        "--no-store");

        assertThat(all.code()).as(all.err()).isZero();
        JsonNode document = JsonMapper.shared().readTree(all.out());
        assertThat(document.at("/verdict/bottleneck").stringValue()).isEqualTo("lock");
        assertThat(document.at("/census/dumps").intValue()).isEqualTo(10);
        assertThat(document.at("/files").valueStream().map(f -> f.at("/kind").stringValue()))
                .contains("thread-dumps", "flight-recording", "gc-log");
        assertThat(recording.code()).as(recording.err()).isZero();
        JsonNode alone = JsonMapper.shared().readTree(recording.out());
        assertThat(alone.at("/verdict/confidence").doubleValue())
                .isLessThan(document.at("/verdict/confidence").doubleValue());
    }

    @Test
    void optionsOfARunningJvmAreRefusedTogether() {
        CliOutput said =
                CliOutput.jdyno(
                        "diagnose",
                        "--jmx",
                        "--dumps",
                        "5",
                        "--no-metrics",
                        "--files",
                        dir.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("--jmx", "--dumps", "--no-metrics");
    }

    @Test
    void aFolderWithoutRecordingsIsAMistake() {
        CliOutput said = CliOutput.jdyno("diagnose", "--files", dir.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
    }

    @Test
    void offersJvmAndFilesIfNeitherIsGiven() {
        CliOutput said = CliOutput.jdyno("diagnose");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("PID", "--files");
    }
}
