package dev.jdyno.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.jdyno.recorded.ThreadCpuText.Row;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadCpuTextTest {
    private static final String REPORT =
            """
            top - 21:15:%02d up 16:03,  0 user,  load average: 1.75, 3.22, 3.99
            Threads:   2 total,   1 running,   1 sleeping,   0 stopped,   0 zombie
            %%Cpu(s): 81.8 us,  5.6 sy,  0.0 ni, 12.1 id,  0.0 wa,  0.0 hi,  0.4 si,  0.0 st
            MiB Mem :  24105.6 total,  20775.0 free,    559.3 used,   3111.1 buff/cache

              PID USER      PR  NI    VIRT    RES    SHR S  %%CPU  %%MEM     TIME+ COMMAND
            19326 root      20   0    5268   4352   3116 R  %s   0.0   0:00.09 C2 CompilerThre
            19327 root      20   0    5268   4352   3116 S   0.0   0.0   0:00.09 VM Thread
            """;

    private static ThreadCpuText read(String text) {
        var cpu = new ThreadCpuText();
        text.lines().forEach(cpu::line);
        cpu.finish();
        return cpu;
    }

    static String resource(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        ThreadCpuTextTest.class.getResourceAsStream("/recorded/" + name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void theFirstReportOfTopIsLeftOut() {
        ThreadCpuText cpu = read(REPORT.formatted(8, "55.0") + "\n" + REPORT.formatted(9, "99.0"));

        assertThat(cpu.reports()).isEqualTo(1);
        assertThat(cpu.reportsLeftOut()).isEqualTo(1);
        assertThat(cpu.rows()).hasSize(2);
        Row hot = cpu.rows().getFirst();
        assertThat(hot.at()).isEqualTo(LocalTime.of(21, 15, 9));
        assertThat(hot.tid()).isEqualTo(19326);
        assertThat(hot.cores()).isCloseTo(0.99, within(1e-9));
        assertThat(hot.name()).isEqualTo("C2 CompilerThre");
    }

    @Test
    void aSeriesOfRunsWithOneReportEachHasNoRates() {
        ThreadCpuText cpu = read(REPORT.formatted(8, "55.0") + REPORT.formatted(9, "55.0"));

        assertThat(cpu.reports()).isZero();
        assertThat(cpu.reportsLeftOut()).isEqualTo(2);
        assertThat(cpu.rows()).isEmpty();
    }

    @Test
    void rowsOfProcessesAreNoThreads() {
        String processes =
                (REPORT.formatted(8, "55.0") + "\n" + REPORT.formatted(9, "55.0"))
                        .replace("Threads:", "Tasks:");

        assertThat(read(processes).rows()).isEmpty();
        assertThat(read(processes).reports()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"99.0, 0.99", "'99,0', 0.99", "104.0, 1", "9999, -1", "x, -1"})
    void readsShareOfCoreInEveryLocaleUpToOne(String shown, double cores) {
        ThreadCpuText cpu = read(REPORT.formatted(8, "1.0") + "\n" + REPORT.formatted(9, shown));

        assertThat(cpu.rows().stream().filter(r -> r.tid() == 19326).map(Row::cores))
                .isEqualTo(cores < 0 ? List.of() : List.of(cores));
    }

    @ParameterizedTest
    @CsvSource({
        "11/29/2026, 09:15:08 PM, 09:15:09 PM",
        "2026-11-29, 21:15:08, 21:15:09",
        "29.11.2026, 21:15:08, 21:15:09",
        "11/29/26, 21:15:08, 21:15:09"
    })
    void pidstatIsReadInTheFormsOfItsLocales(String date, String first, String second) {
        String head = "Linux 6.1.0-13-amd64 (shop-1) \t" + date + " \t_x86_64_\t(4 CPU)\n\n";
        String columns =
                "   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n";
        String process =
                "  1000     19325         -   99.00  0.00  0.00  0.00   99.00     1  java\n";
        String thread =
                "  1000         -     19326   99.00  0.00  0.00  0.00   99.00     1  |__GC Thread#0\n";
        String report = "@" + columns + "@" + process + "@" + thread + "\n";

        ThreadCpuText cpu = read(head + report.replace("@", first) + report.replace("@", second));

        assertThat(cpu.reports()).isEqualTo(2);
        assertThat(cpu.cpus()).hasValue(4);
        assertThat(cpu.rows()).hasSize(2);
        Row row = cpu.rows().get(1);
        assertThat(row.at()).isEqualTo(LocalTime.of(21, 15, 9));
        assertThat(row.dates()).contains(LocalDate.of(2026, 11, 29));
        assertThat(row.name()).isEqualTo("GC Thread#0");
        assertThat(row.cores()).isCloseTo(0.99, within(1e-9));
        // without an interval, pidstat shows the mean since the start of the thread
        assertThat(read(head + report.replace("@", first)).rows()).isEmpty();
        assertThat(read(head + report.replace("@", first)).reportsLeftOut()).isEqualTo(1);
        assertThat(read(head + report.replace("@", first) + report.replace("@", "Average:")).rows())
                .hasSize(1);
    }

    @Test
    void aRealOutputOfTopIsReadWhole() throws IOException {
        ThreadCpuText cpu = read(resource("top.txt"));

        assertThat(cpu.reports()).isEqualTo(2);
        assertThat(cpu.reportsLeftOut()).isEqualTo(1);
        assertThat(cpu.rows().stream().map(Row::name))
                .contains("C2 Compil+", "VM Thread", "G1 Conc#0");
        assertThat(cpu.rows().stream().mapToDouble(Row::cores).sum()).isGreaterThan(0.5);
    }

    @Test
    void aRealOutputOfPidstatIsReadWhole() throws IOException {
        ThreadCpuText cpu = read(resource("pidstat.txt"));

        assertThat(cpu.reports()).isEqualTo(3);
        assertThat(cpu.cpus()).hasValue(2);
        assertThat(cpu.rows().stream().mapToDouble(Row::cores).sum()).isGreaterThan(0.5);
    }

    @Test
    void linesOfAnotherProgramAreNoReports() {
        ThreadCpuText cpu =
                read(
                        """
                        Linux is not a report
                        top - 99:99:99 up
                        Threads: many
                        PID TID %CPU COMMAND Command
                        1 2 3 4 5
                        the service used 90 %CPU
                        12:00:00 1 - 99999999999999999999 1 1 1 1 1 1 x
                        """);

        assertThat(cpu.rows()).isEmpty();
        assertThat(cpu.reports()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TID UID %CPU Command",
                "TID %CPU Command",
                "%CPU UID TID Command",
                "Command UID TID %CPU",
            })
    void ignoresColumnsBeforeUserColumn(String header) {
        ThreadCpuText cpu = read(header + "\n10:00:00 1 2 3 x\n10:00:01 1 2 3 x\n");

        assertThat(cpu.rows()).isEmpty();
        assertThat(cpu.reports()).isZero();
    }

    @Test
    void aNameHasAtMostTheLengthOfTheKernels() {
        String report =
                """
                @ UID TGID TID %%CPU CPU Command
                @ 0 - 7 9.00 1 |__%s
                @ 0 - 8 9.00 1 %s
                """
                        .formatted("pool-1-thread-12 -Xmx1g", "x".repeat(4000));

        ThreadCpuText cpu =
                read(
                        "Linux 6.1.0 (shop) \t2026-11-29 \t_x86_64_\t(2 CPU)\n\n"
                                + report.replace("@", "10:00:00")
                                + report.replace("@", "10:00:01"));

        assertThat(cpu.rows().stream().map(Row::name).distinct())
                .containsExactly("pool-1-thread-1", "x".repeat(15));
    }

    @ParameterizedTest
    @CsvSource({"0, -1", "1, 1", "00002, 2"})
    void aHostHasAtLeastOneProcessor(String shown, int cpus) {
        ThreadCpuText cpu =
                read("Linux 6.1.0 (shop) \t2026-11-29 \t_x86_64_\t(" + shown + " CPU)\n");

        assertThat(cpu.cpus().orElse(-1)).isEqualTo(cpus);
    }
}
