package dev.jdyno.observe.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.observe.Observer;
import dev.jdyno.target.Target;
import dev.jdyno.target.ToolMark;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The GC log of a JVM that ran out of memory is the best evidence of the cause.
@Timeout(300)
class GcLogTapTest {
    @TempDir Path dir;

    static List<Path> jdks() {
        return Victims.jdks();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void keepsLogOfEndedTargetAndRemovesItsFiles(Path jdk) throws Exception {
        dies(jdk);

        assertThat(Files.readString(dir.resolve("gc.log"))).contains("Pause Young");
        assertThat(foldersOfOurs()).isEmpty();
    }

    /// After its end, the target's `/tmp` can no longer be opened, but open files stay open.
    @Test
    void keepsLogOfTargetWithOwnMounts() throws Exception {
        assumeTrue(
                new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0,
                "a process may get mounts of its own");
        dies(inMountsOfItsOwn(jdks().getFirst()));

        assertThat(Files.readString(dir.resolve("gc.log"))).contains("Pause Young");
        // the folder is held open, so it is emptied and removed although its path no longer exists
        assertThat(foldersOfOurs()).isEmpty();
    }

    private static List<String> foldersOfOurs() throws IOException {
        try (var all = Files.list(Path.of("/tmp"))) {
            return all.map(f -> f.getFileName().toString())
                    .filter(f -> f.startsWith("jdyno-" + ToolMark.own() + "-run-"))
                    .toList();
        }
    }

    private void dies(Path jdk) throws Exception {
        try (Target target = Victims.launch(jdk, dir, "allocate", "-Xmx32m", "-Xmn8m");
                Observer observer = Observer.open(target, NanoClock.SYSTEM, dir)) {
            long collections = 0;
            while (collections < 5) {
                collections += observer.take().gc().orElseThrow().young().count();
                Thread.onSpinWait();
            }
            Victims.kill(target);
        }
    }

    private Path inMountsOfItsOwn(Path jdk) throws IOException {
        Path home = dir.resolve("jdk");
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexec unshare -m " + jdk + "/bin/java \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }
}
