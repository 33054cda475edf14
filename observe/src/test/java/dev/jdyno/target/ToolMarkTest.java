package dev.jdyno.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolMarkTest {
    @TempDir Path mounted;

    @Test
    void readsOwnMarkOfRunningProcess() {
        ToolMark own = ToolMark.own();

        assertThat(own.toString()).matches(ToolMark.PATTERN).contains("t");
        assertThat(ToolMark.parse(own.toString())).isEqualTo(own);
        assertThat(own.lives(ProcFs.SYSTEM)).isTrue();
    }

    @Test
    void refusesOtherProcessWithSamePid() throws IOException {
        process(7, 7, "S", 200);

        assertThat(new ToolMark(7, Optional.of("100")).lives(new ProcFs(mounted))).isFalse();
        assertThat(new ToolMark(7, Optional.of("200")).lives(new ProcFs(mounted))).isTrue();
    }

    @Test
    void findsContainerProcessByItsInnerPid() throws IOException {
        process(4711, 7, "S", 200);

        assertThat(new ToolMark(7, Optional.of("200")).lives(new ProcFs(mounted))).isTrue();
        assertThat(new ToolMark(8, Optional.of("200")).lives(new ProcFs(mounted))).isFalse();
    }

    @Test
    void zombieProcessCountsAsEnded() throws IOException {
        process(7, 7, "Z", 200);

        assertThat(new ToolMark(7, Optional.of("200")).lives(new ProcFs(mounted))).isFalse();
    }

    @Test
    void identifiesMarkWithoutStartById() throws IOException {
        process(7, 7, "S", 200);

        assertThat(ToolMark.parse("7").lives(new ProcFs(mounted))).isTrue();
        assertThat(ToolMark.parse("8").lives(new ProcFs(mounted))).isFalse();
    }

    private void process(long pid, long innerPid, String state, long started) throws IOException {
        Path folder = Files.createDirectories(mounted.resolve(Long.toString(pid)));
        Files.writeString(
                folder.resolve("stat"),
                pid + " (java) " + state + " 1" + " 0".repeat(17) + " " + started + " 0\n");
        Files.writeString(folder.resolve("status"), "NSpid:\t" + pid + "\t" + innerPid + "\n");
    }
}
