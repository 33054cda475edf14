package dev.jdyno.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.MemoryKill;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryKillsTest {
    private static final long PID = 42;
    private static final long MIB = 1 << 20;
    private static final Optional<Long> HEAP = Optional.of(64 * MIB);

    @TempDir private Path dir;

    private void write(String path, String text) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void memory(long mebibytes) throws IOException {
        write(
                "proc/42/status",
                "Name:\tjava\nRssAnon:\t  %d kB\nRssFile:\t   40000 kB\nRssShmem:\t       0 kB\n"
                        .formatted(mebibytes * 1024));
    }

    private MemoryKills kills() {
        return MemoryKills.of(new ProcFs(dir.resolve("proc")), dir.resolve("cgroup"), PID);
    }

    private void ended() throws IOException {
        Files.delete(dir.resolve("proc/42/status"));
    }

    private void version2(String group, long max, long killed) throws IOException {
        write("cgroup/" + group + "/memory.max", max + "\n");
        write(
                "cgroup/" + group + "/memory.events",
                "low 0\nhigh 0\nmax 12\noom 7\noom_kill " + killed + "\noom_group_kill 0\n");
    }

    @Test
    void aKillInTheGroupIsTheTargetsEnd() throws IOException {
        write("proc/42/cgroup", "0::/pods/app\n");
        version2("pods", 512 * MIB, 9);
        version2("pods/app", 256 * MIB, 3);
        memory(100);
        MemoryKills kills = kills();
        kills.look();
        memory(250);
        kills.look();

        ended();
        version2("pods/app", 256 * MIB, 4);
        kills.look();

        MemoryKill kill = kills.end(HEAP).orElseThrow();
        assertThat(kill).isEqualTo(new MemoryKill(256 * MIB, 250 * MIB, HEAP));
        assertThat(kill.outsideHeapBytes()).contains(186 * MIB);
    }

    @Test
    void readsKillsOfCgroupV1() throws IOException {
        write("proc/42/cgroup", "11:cpu:/docker/ab\n9:memory:/docker/ab\n0::/\n");
        write("cgroup/memory/docker/ab/memory.limit_in_bytes", 256 * MIB + "\n");
        String control = "cgroup/memory/docker/ab/memory.oom_control";
        write(control, "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
        memory(200);
        MemoryKills kills = kills();
        kills.look();
        kills.look();
        ended();
        assertThat(kills.end(HEAP)).as("another end").isEmpty();

        write(control, "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");

        assertThat(kills.end(HEAP)).isPresent();
    }

    /// The last reading came after the kill was counted and before the process had ended.
    @Test
    void readingDuringEndHidesNoKill() throws IOException {
        write("proc/42/cgroup", "0::/app\n");
        version2("app", 256 * MIB, 0);
        memory(250);
        MemoryKills kills = kills();
        kills.look();
        version2("app", 256 * MIB, 1);
        memory(90);
        kills.look();
        ended();

        assertThat(kills.end(HEAP)).contains(new MemoryKill(256 * MIB, 250 * MIB, HEAP));
    }

    /// A child process was killed long before the target ended for another reason.
    @Test
    void anEarlierKillIsNotTheTargetsEnd() throws IOException {
        write("proc/42/cgroup", "0::/app\n");
        version2("app", 256 * MIB, 0);
        memory(100);
        MemoryKills kills = kills();
        kills.look();
        version2("app", 256 * MIB, 1);
        kills.look();
        kills.look();
        ended();

        assertThat(kills.end(HEAP)).isEmpty();
    }

    @Test
    void usesParentGroupOfEndedContainer() throws IOException {
        write("proc/42/cgroup", "0::/pod/app\n");
        version2("pod", 512 * MIB, 0);
        version2("pod/app", 256 * MIB, 0);
        memory(250);
        MemoryKills kills = kills();
        kills.look();
        kills.look();
        ended();
        Files.delete(dir.resolve("cgroup/pod/app/memory.max"));
        Files.delete(dir.resolve("cgroup/pod/app/memory.events"));
        Files.delete(dir.resolve("cgroup/pod/app"));
        assertThat(kills.end(HEAP)).isEmpty();

        version2("pod", 512 * MIB, 1);

        assertThat(kills.end(HEAP)).map(MemoryKill::limitBytes).contains(256 * MIB);
    }

    @Test
    void noKillIsReportedWithoutMemoryLimitOrCounts() throws IOException {
        write("proc/42/cgroup", "0::/gone\n9:memory:/../../elsewhere\n");
        memory(100);
        MemoryKills kills = kills();
        kills.look();
        ended();

        assertThat(kills.end(HEAP)).isEmpty();
    }
}
