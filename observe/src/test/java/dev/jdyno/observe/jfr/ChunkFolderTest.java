package dev.jdyno.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The free space must be checked on the disk on which the JVM will write its recording.
class ChunkFolderTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aJvmThatNeverRecordedWillUseItsTmpdir(Path jdk) throws Exception {
        Path temp = Files.createDirectory(dir.resolve("a temp:folder"));
        try (Target target = Victims.launch(jdk, dir, "sleep", "-Djava.io.tmpdir=" + temp)) {
            assertThat(ChunkFolder.of(target.jcmd())).isEqualTo(temp.toString());

            target.jcmd().run("JFR.start", FlightRecording.LIMIT);

            assertThat(ChunkFolder.of(target.jcmd())).startsWith(temp + "/");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aFolderNamedOnTheCommandLineCounts(Path jdk) throws Exception {
        Path chunks = dir.resolve("chunks");
        try (Target target =
                Victims.launch(
                        jdk, dir, "sleep", "-XX:FlightRecorderOptions:repository=" + chunks)) {
            assertThat(ChunkFolder.of(target.jcmd())).startsWith(chunks.toString());
        }
    }
}
