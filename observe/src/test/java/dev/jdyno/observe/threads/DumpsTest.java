package dev.jdyno.observe.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpsTest {
    @TempDir Path dir;

    private static void signal(String name, String state, Target target) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(target.pid())).start().waitFor();
        while (ProcFs.SYSTEM.stat(target.pid()).orElseThrow()[0].equals("T") != state.equals("T")) {
            Thread.onSpinWait();
        }
    }

    @Test
    void skipsFailedDumpAndStopsAfterTwo() throws Exception {
        try (Target target = Victims.launch(Victims.jdks().getFirst(), dir, "sleep")) {
            var dumps = new Dumps(target, NanoClock.SYSTEM, Optional::empty);
            try {
                assertThat(dumps.take()).isPresent();
                assertThat(dumps.missing()).isEmpty();

                signal("STOP", "T", target);
                assertThat(dumps.take()).isEmpty();
                signal("CONT", "S", target);
                assertThat(dumps.take()).isPresent();
                assertThat(dumps.missing().orElseThrow().why())
                        .contains("1 of 3 failed", "it is stopped")
                        .doesNotContain("no more");

                signal("STOP", "T", target);
                assertThat(dumps.take()).isEmpty();
                assertThat(dumps.take()).isEmpty();
            } finally {
                signal("CONT", "S", target);
            }
            assertThat(dumps.take()).isEmpty();
            assertThat(dumps.missing().orElseThrow().why())
                    .contains("3 of 5 failed", "no more were asked for");
        }
    }
}
