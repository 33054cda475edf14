package dev.jdyno.doctor;

import static dev.jdyno.doctor.Finding.State.BAD;
import static dev.jdyno.doctor.Finding.State.NOTE;
import static dev.jdyno.doctor.Finding.State.OK;
import static dev.jdyno.doctor.Finding.State.UNSEEN;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest {
    @TempDir Path root;
    private FakeMachine machine;

    @BeforeEach
    void healthy() {
        machine = new FakeMachine(root);
        machine.whileWatched(() -> machine.cpu(200, 16, 0).process(FakeMachine.SELF, "java", 4));
    }

    @Test
    void healthyMachineHasNoFindings() throws InterruptedException {
        var found = machine.examine();

        // the disk on which the test runs may be full
        assertThat(found).filteredOn(f -> !f.id().equals("space")).allMatch(f -> f.state() == OK);
        assertThat(found).filteredOn(f -> f.state() == OK).allMatch(f -> f.fix().isEmpty());
        assertThat(found).extracting(Finding::id).doesNotHaveDuplicates();
        assertThat(machine.pauses()).containsExactly(Duration.ofSeconds(2));
    }

    /// Each case: a file that a check reads, its content, and the finding.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory      | proc/meminfo | MemAvailable: 900000 kB | NOTE | 879 MiB available",
                "memory      | proc/meminfo | MemAvailable: 90000 kB | BAD | would swap or die",
                "memory      | proc/meminfo | nothing | UNSEEN | no /proc/meminfo",
                "clock       | sys/devices/system/clocksource/clocksource0/current_clocksource | hpet | NOTE | clock hpet, 25 ns",
                "governor    | sys/devices/system/cpu/cpu0/cpufreq/scaling_governor | powersave | NOTE | powersave: low rounds",
                "open-files  | proc/self/limits | 'Max open files            256                  256                  files' | BAD | 256 open files",
                "open-files  | proc/self/limits | 'Max open files            1024                 1024                 files' | NOTE | at most that many",
                "open-files  | proc/self/limits | 'Max open files            unlimited            unlimited            files' | OK | no limit",
                "ports       | proc/sys/net/ipv4/ip_local_port_range | '40000 45999' | NOTE | at most 99 requests/s",
                "ports       | proc/net/sockstat | TCP: inuse 1 orphan 0 tw 28000 alloc 1 mem 1 | BAD | 28000 in TIME_WAIT",
                "ports       | proc/sys/net/ipv4/ip_local_port_range | x | UNSEEN | no ip_local_port_range",
                "backlog     | proc/sys/net/core/somaxconn | 128 | NOTE | somaxconn is 128",
                "run-queue   | proc/self/schedstat | 0 0 0 | NOTE | no schedstat",
                "perf-events | proc/sys/kernel/perf_event_paranoid | 3 | NOTE | paranoid is 3: CPU profiles lack kernel frames",
                "perf-events | proc/sys/kernel/perf_event_paranoid | -1 | OK | paranoid is -1",
            })
    void reportsFailedChecks(String id, String file, String text, Finding.State state, String says)
            throws InterruptedException {
        machine.file(file, text + "\n");

        var finding = machine.finding(id);

        assertThat(finding.state()).isEqualTo(state);
        assertThat(finding.says()).contains(says);
        assertThat(finding.fix().isPresent()).isEqualTo(state == NOTE || state == BAD);
    }

    @Test
    void capabilitiesOfRootOverridePerfEventParanoid() throws InterruptedException {
        machine.file("proc/sys/kernel/perf_event_paranoid", "3");
        machine.file("proc/self/status", "Name:\tjava\nCapEff:\t000001ffffffffff\n");

        assertThat(machine.finding("perf-events").state()).isEqualTo(OK);
    }

    @Test
    void reportsMissingSs() throws InterruptedException {
        machine.without("usr/bin/ss");

        assertThat(machine.finding("sockets").state()).isEqualTo(NOTE);
        assertThat(machine.finding("sockets").says()).contains("asynchronous clients");
        assertThat(machine.finding("sockets").fix()).isPresent();

        machine.file("sbin/ss", "");
        assertThat(machine.finding("sockets").state()).isEqualTo(OK);
    }

    @ParameterizedTest
    @CsvSource({"8, OK, 0.5 %", "24, NOTE, 1.5 %", "160, BAD, 10.0 %"})
    void stealIsItsShareOfTheTicksDuringTheWatch(long stolen, Finding.State state, String says)
            throws InterruptedException {
        machine.whileWatched(() -> machine.cpu(200, 16, stolen));

        var steal = machine.finding("steal");

        assertThat(steal.state()).isEqualTo(state);
        assertThat(steal.says()).contains(says);
    }

    @Test
    void aBusyNeighbourIsNamedWithItsCores() throws InterruptedException {
        machine.process(7, "evil\u001b[2J) name", 1000).process(8, "idle", 50);
        machine.whileWatched(() ->
                machine.cpu(200, 504, 0)
                        .process(7, "evil\u001b[2J) name", 1300)
                        .process(8, "idle", 51)
                        .process(9, "new", 190)
                        .process(FakeMachine.SELF, "java", 4));

        var neighbours = machine.finding("neighbours");

        assertThat(neighbours.state()).isEqualTo(BAD);
        assertThat(neighbours.says())
                .isEqualTo("other processes use 2.50 cores: evil [2J) name (7) 1.50, new (9) 0.95");
    }

    @Test
    void processesThatEndedDuringTheWatchCountAsOthers() throws InterruptedException {
        machine.whileWatched(() -> machine.cpu(200, 164, 0).process(FakeMachine.SELF, "java", 4));

        var neighbours = machine.finding("neighbours");

        assertThat(neighbours.state()).isEqualTo(NOTE);
        assertThat(neighbours.says()).isEqualTo("other processes use 0.80 cores");
    }

    @Test
    void missingProcStatFailsNoCheck() throws InterruptedException {
        machine.without("proc/stat");

        assertThat(machine.finding("steal").state()).isEqualTo(UNSEEN);
        assertThat(machine.finding("neighbours").state()).isEqualTo(UNSEEN);
        assertThat(machine.finding("cores").says()).isEqualTo("8 cores");
    }

    @ParameterizedTest
    @CsvSource({
        "1, NOTE, may use 1 of",
        "2, NOTE, may use 2 of the machine's 8 cores",
        "8, OK, 8 cores"
    })
    void fewCoresAreSharedByClientAndTarget(int processors, Finding.State state, String says)
            throws InterruptedException {
        var cores = machine.processors(processors).finding("cores");

        assertThat(cores.state()).isEqualTo(state);
        assertThat(cores.says()).contains(says);
    }

    @Test
    void oldJdkIsABadFinding() throws InterruptedException {
        var finding = machine.jdk("21.0.4+7").finding("jdk");

        assertThat(finding.state()).isEqualTo(BAD);
        assertThat(finding.says()).contains("21.0.4+7 is too old");
    }

    @Test
    void runtimeWithoutAttachIsABadFinding() throws InterruptedException {
        var finding = machine.withoutModule("jdk.attach").finding("jdk");

        assertThat(finding.state()).isEqualTo(BAD);
        assertThat(finding.says()).contains("lacks jdk.attach");
    }

    @Test
    void aClockThatCostsAMicrosecondIsNoted() throws InterruptedException {
        assertThat(machine.nanosPerReading(1000).finding("clock").state()).isEqualTo(NOTE);
    }

    @Test
    void jvmsOfOtherUsersAreNamed() throws InterruptedException {
        machine.process(300, "java", 0).file("tmp/hsperfdata_tomcat/300", "");

        var attach = machine.finding("attach");

        assertThat(attach.state()).isEqualTo(NOTE);
        assertThat(attach.says()).contains("(1 besides this), not those of tomcat (1)");
        assertThat(attach.fix()).hasValue("sudo -u tomcat jdyno ... for a JVM of tomcat");
    }

    /// A killed JVM leaves its file; jdyno's own JVM may run without one.
    @Test
    void countsOnlyJvmsThatRunBesidesThisOne() throws InterruptedException {
        machine.file("tmp/hsperfdata_ann/999", "").without("tmp/hsperfdata_ann/100");

        assertThat(machine.finding("attach").says()).contains("(1 besides this)");

        machine.without("tmp/hsperfdata_ann/200");

        assertThat(machine.finding("attach").says()).contains("(0 besides this)");
        assertThat(machine.finding("attach").state()).isEqualTo(OK);
    }

    /// Any user can make these.
    @Test
    void strangeNamesInTmpAreNoJvms() throws InterruptedException {
        machine.file("tmp/hsperfdata_ann/self", "")
                .file("tmp/hsperfdata_ann/stat", "")
                .file("tmp/hsperfdata_bob", "no folder")
                .file("tmp/hsperfdata_$(reboot)/200", "");

        var attach = machine.finding("attach");

        assertThat(attach.says()).contains("(1 besides this)").doesNotContain("reboot");
        assertThat(attach.state()).isEqualTo(OK);
    }

    @Test
    void rootCanAttachToAll() throws InterruptedException {
        machine.user("root").file("tmp/hsperfdata_root/100", "");

        assertThat(machine.finding("attach").state()).isEqualTo(OK);
    }

    @Test
    void listsNoJvmWithoutHsperfdata() throws InterruptedException {
        assertThat(machine.user("bob").finding("attach").says()).contains("no hsperfdata of bob");
    }

    @Test
    void aTemporaryFolderThatForbidsToExecuteIsNoted() throws InterruptedException {
        String mounts =
                "/dev/vda / ext4 rw 0 0\ntmpfs " + root + "/tmp tmpfs rw,nosuid,noexec 0 0\n";
        machine.file("proc/mounts", mounts);

        assertThat(machine.finding("space").says()).contains("is mounted noexec");
    }
}
