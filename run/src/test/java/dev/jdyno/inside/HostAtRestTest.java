package dev.jdyno.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostAtRestTest {
    @TempDir private Path proc;

    /// 2 s on 2 cores: 400 ticks in total, 320 of them busy, 20 stolen, and 100 used by the target.
    @Test
    void attributesRemainingCpuToOtherProcesses() throws IOException {
        var look = new HostAtRest(new ProcFs(proc), Optional.of(4711L));
        write(1000, 0, 50);
        HostAtRest.Totals before = look.read().orElseThrow();
        write(1320, 20, 150);
        HostAtRest.Totals after = look.read().orElseThrow();

        HostAtRest.Seen seen = HostAtRest.between(before, after, 2);

        assertThat(seen.othersCores()).isCloseTo(1.1, within(1e-9));
        assertThat(seen.stealPct()).isCloseTo(5, within(1e-9));
    }

    @Test
    void cpuAtRestIsUnknownWithoutProc() {
        assertThat(new HostAtRest(new ProcFs(proc), Optional.empty()).read()).isEmpty();
    }

    private void write(long busy, long steal, long target) throws IOException {
        long idle = 10_000 - busy - steal + (busy > 1000 ? 400 : 0);
        Files.writeString(
                proc.resolve("stat"),
                "cpu  " + busy + " 0 0 " + idle + " 0 0 0 " + steal + " 0 0\n");
        Files.createDirectories(proc.resolve("4711"));
        Files.writeString(
                proc.resolve("4711/stat"),
                "4711 (java) S 1 1 1 0 -1 0 0 0 0 0 " + target + " 0 0 0 20 0 1 0 0 0 0\n");
    }
}
