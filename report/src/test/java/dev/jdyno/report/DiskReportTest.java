package dev.jdyno.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.judge.ResultFixture;
import dev.jdyno.judge.ResultVariants;
import dev.jdyno.measure.RunResult;
import dev.jdyno.measure.thread.DiskUse;
import dev.jdyno.report.html.HtmlReport;
import dev.jdyno.report.json.ResultJson;
import dev.jdyno.report.terminal.TerminalReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The activity of disks in every form of the report.
class DiskReportTest {
    private static final DiskUse VDA =
            new DiskUse(
                    "vda",
                    true,
                    10,
                    240,
                    40_960,
                    983_040,
                    0.97,
                    Optional.of(4.1),
                    1.2,
                    Optional.of(new DiskUse.Flushes(120, Optional.of(3.5))));
    private static final DiskUse IDLE =
            new DiskUse("sdb", false, 0, 1, 0, 512, 0.01, Optional.empty(), 0, Optional.empty());

    private final RunResult result = ResultVariants.withDisks(VDA, IDLE);

    @TempDir Path folder;

    @Test
    void documentKeepsDisks() {
        Path file = folder.resolve("result.json");

        ResultJson.write(result, file);

        assertThat(ResultJson.read(file)).isEqualTo(result);
        assertThat(ResultJson.read(file).census().getFirst().signals().disks())
                .containsExactly(VDA, IDLE);
    }

    @Test
    void pageHasTableOfDisks() {
        assertThat(HtmlReport.render(result, List.of()))
                .has(InOrder.of("id=\"disks\"", "vda", "97 %", "240", "4.1", "holds files"));
        assertThat(HtmlReport.render(ResultFixture.e1(), List.of())).doesNotContain("id=\"disks\"");
    }

    @Test
    void terminalNamesDisksOfTargetExceptIdleDisks() {
        assertThat(new TerminalReport(false).verdict(result, Optional.empty()))
                .contains(
                        "Disk vda 97 % busy: 10 reads/s, 240 writes/s, 1000 KiB/s, 4.1 ms each, 1.2"
                                + " under way\n")
                .doesNotContain("sdb");
    }
}
