package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.doctor.Finding;
import dev.jdyno.doctor.Finding.State;
import dev.jdyno.report.terminal.DoctorLines;
import dev.jdyno.report.terminal.TerminalWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class DoctorCommandTest {
    private static final List<Finding> FOUND =
            List.of(
                    new Finding("jdk", State.OK, "JDK 25 with attach", Optional.empty()),
                    new Finding("backlog", State.NOTE, "somaxconn is 128", Optional.of("sysctl")),
                    new Finding("steal", State.BAD, "took 12 %", Optional.of("wait")),
                    new Finding("governor", State.UNSEEN, "not visible", Optional.empty()));

    @Test
    void printsEachFindingWithFixOnOneLine() {
        assertThat(DoctorLines.of(FOUND, false, false))
                .isEqualTo(
                        """
                        ok     jdk         JDK 25 with attach
                        note   backlog     somaxconn is 128 -> sysctl
                        bad    steal       took 12 % -> wait
                        unseen governor    not visible
                        1 ok, 1 to note, 1 bad, 1 unseen
                        """);
    }

    @Test
    void quietOmitsPassedChecks() {
        assertThat(DoctorLines.of(FOUND, true, false).lines())
                .hasSize(4)
                .noneMatch(l -> l.startsWith("ok"));
    }

    @Test
    void coloursChangeNoLetter() {
        var shown = new StringWriter();
        TerminalWriter.over(shown, TerminalWriter.Form.TEXT)
                .print(DoctorLines.of(FOUND, false, true));
        String coloured = shown.toString();

        assertThat(coloured).contains("\u001b[1;31mbad");
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", ""))
                .isEqualTo(DoctorLines.of(FOUND, false, false));
    }

    @Test
    void failsOnlyOnBadFinding() {
        assertThat(DoctorCommand.exitCode(FOUND)).isOne();
        assertThat(DoctorCommand.exitCode(FOUND.subList(0, 2))).isZero();
    }

    @Test
    void theJsonFormHasEveryFinding() {
        var root = JsonMapper.shared().readTree(DoctorCommand.json(FOUND));

        assertThat(root.get("schema").stringValue()).isEqualTo("jdyno/doctor/1");
        assertThat(root.get("ok").booleanValue()).isFalse();
        assertThat(root.at("/checks/2/state").stringValue()).isEqualTo("bad");
        assertThat(root.at("/checks/2/mend").stringValue()).isEqualTo("wait");
        assertThat(root.at("/checks/0/mend").isNull()).isTrue();
    }

    @Test
    void everyCheckGivesResultOnThisMachine() {
        var out = new StringWriter();
        var err = new StringWriter();

        int code = Main.run(new PrintWriter(out), new PrintWriter(err), "doctor", "--json");

        var root = JsonMapper.shared().readTree(out.toString());
        assertThat(root.get("checks").size()).isEqualTo(15);
        assertThat(code).isEqualTo(root.get("ok").booleanValue() ? 0 : 1);
        assertThat(err.toString()).isEmpty();
        // the kernel returns this setting only to the first read call, so one call must read all of
        // it
        if (Files.exists(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
            assertThat(root.at("/checks/8/id").stringValue()).isEqualTo("ports");
            assertThat(root.at("/checks/8/says").stringValue()).contains("local ports");
        }
    }
}
