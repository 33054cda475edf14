package dev.jdyno.observe.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.ChildProgram;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.thread.Signals.Sign;
import dev.jdyno.observe.host.CpuLimits;
import dev.jdyno.observe.host.CpuProbe;
import dev.jdyno.observe.window.SignalsProbe;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Figures read from copies of files of `/proc` and of cgroups.
class ProcFilesTest {
    private static final long PID = 42;

    @TempDir Path dir;
    private ProcFs proc = ProcFs.SYSTEM;

    @BeforeEach
    void setUp() {
        proc = new ProcFs(dir.resolve("proc"));
    }

    private void file(String path, String text) throws IOException {
        Path file = dir.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void smallestQuotaOfParentGroupsLimitsCores() throws IOException {
        file("proc/mounts", "cgroup " + dir + "/cg cgroup rw,cpu,cpuacct 0 0\n");
        file("proc/42/cgroup", "4:cpu,cpuacct:/docker/ab\n0::/\n");
        file("proc/42/status", "Cpus_allowed_list:\t0-7\n");
        file("cg/docker/cpu.cfs_quota_us", "150000\n");
        file("cg/docker/cpu.cfs_period_us", "100000\n");
        file("cg/docker/ab/cpu.cfs_quota_us", "-1\n");
        file("cg/docker/ab/cpu.cfs_period_us", "100000\n");
        file(
                "cg/docker/ab/cpu.stat",
                "nr_periods 100\nnr_throttled 25\nthrottled_time 7000000000\n");
        // an older group, throttled more often in total than the group below it since then
        file(
                "cg/docker/cpu.stat",
                "nr_periods 90000\nnr_throttled 80000\nthrottled_time 9000000000000\n");

        var limits = CpuLimits.of(proc, PID);

        assertThat(limits.availableCores()).isEqualTo(1.5);
        CpuLimits.Throttling stopped =
                CpuLimits.worst(
                        List.of(
                                new CpuLimits.Throttling(60, 5, 3_000_000_000L),
                                new CpuLimits.Throttling(90_000, 80_000, 9_000_000_000_000L)),
                        limits.throttling());
        assertThat(stopped.periodsPct()).isEqualTo(50);
        // 4 core-seconds were refused and 4 were given, which has the same meaning on two cores and
        // on 64
        assertThat(stopped.refusedPct(4)).isEqualTo(50);
        assertThat(CpuLimits.Throttling.NONE.refusedPct(4)).isZero();
    }

    @Test
    void theQuotaOfCgroupV2LimitsTheCores() throws IOException {
        file("proc/mounts", "cgroup2 " + dir + "/cg cgroup2 rw 0 0\n");
        file("proc/42/cgroup", "0::/app.slice\n");
        file("proc/42/status", "Cpus_allowed_list:\t0-3\n");
        file("cg/app.slice/cpu.max", "50000 100000\n");

        assertThat(CpuLimits.of(proc, PID).availableCores()).isEqualTo(0.5);
    }

    @Test
    void affinityLimitsCoresWithoutQuota() throws IOException {
        file("proc/mounts", "cgroup2 " + dir + "/cg cgroup2 rw 0 0\n");
        file("proc/42/cgroup", "0::/\n");
        file("proc/42/status", "Cpus_allowed_list:\t1,3\n");
        file("cg/cpu.max", "max 100000\n");

        assertThat(CpuLimits.of(proc, PID).availableCores()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0|1", "0-1|2", "0-3,8|5", "2,4,6-7|4"})
    void aCpuListIsCounted(String list, int cores) {
        assertThat(CpuLimits.cpuList(list).cardinality()).isEqualTo(cores);
    }

    @Test
    void splitsMachineTimeBetweenTargetClientAndNeighbours() throws IOException {
        file("proc/42/status", "Cpus_allowed_list:\t0-1\n");
        stat(42, 100, 50);
        stat(7, 10, 10);
        // user nice system idle iowait irq softirq steal
        file("proc/stat", "cpu  1000 0 500 5000 100 0 0 20 0 0\n");
        var probe = new CpuProbe(proc, PID, 7, CpuLimits.of(proc, PID));
        var before = probe.read().orElseThrow();
        stat(42, 200, 80);
        stat(7, 30, 20);
        file("proc/stat", "cpu  1150 0 550 5190 100 0 0 30 0 0\n");
        var after = probe.read().orElseThrow();

        CpuUse use = probe.between(before, after, 2, List.of(), List.of());

        assertThat(use.processCores()).isCloseTo(0.65, Offset.offset(1e-9));
        assertThat(use.systemCores()).isCloseTo(0.15, Offset.offset(1e-9));
        assertThat(use.clientCores()).isCloseTo(0.15, Offset.offset(1e-9));
        assertThat(use.otherCores()).isCloseTo(0.2, Offset.offset(1e-9));
        assertThat(use.takenByOthers()).isCloseTo(0.2, Offset.offset(1e-9));
        // children of the target are no other processes, because their CPU belongs to the target
        List<ChildProgram> children = List.of(new ChildProgram("convert", 0.15));
        CpuUse withChildren = probe.between(before, after, 2, List.of(), children);
        assertThat(withChildren.processCores()).isCloseTo(0.8, Offset.offset(1e-9));
        assertThat(withChildren.ownCores()).isCloseTo(0.65, Offset.offset(1e-9));
        assertThat(withChildren.otherCores()).isCloseTo(0.05, Offset.offset(1e-9));
        assertThat(withChildren.takenByOthers()).isCloseTo(0.05, Offset.offset(1e-9));
        assertThat(withChildren.takenByClient()).isCloseTo(0.15, Offset.offset(1e-9));
        assertThat(withChildren.leftCores()).isCloseTo(use.leftCores() + 0.15, Offset.offset(1e-9));
        assertThat(use.machinePct()).isCloseTo(50, Offset.offset(1e-9));
        assertThat(use.stealPct()).isCloseTo(2.5, Offset.offset(1e-9));
    }

    private void stat(long pid, int user, int system) throws IOException {
        // a name with blanks and brackets must not shift the fields
        file(
                "proc/" + pid + "/stat",
                pid
                        + " (a) b (c) S 1 1 1 0 -1 0 0 0 0 0 "
                        + user
                        + " "
                        + system
                        + " 0 0 20 0 9 0 77\n");
    }

    private static final String HEAD =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid"
                    + "  timeout inode\n";

    @Test
    void distinguishesServerSocketsFromDownstreamSockets() throws IOException {
        file(
                "proc/42/net/tcp",
                HEAD
                        + row(0, "0100007F:1F90", "00000000:0000", "0A", 0, 3, 900)
                        + row(1, "0100007F:1F90", "0100007F:D2F0", "01", 0, 78, 901)
                        + row(2, "0100007F:1F90", "0100007F:D2F1", "01", 512, 0, 902)
                        + row(3, "0100007F:D2F2", "0200007F:1538", "01", 0, 9, 903)
                        + row(4, "0100007F:D2F3", "0200007F:1538", "06", 0, 0, 0));
        file(
                "proc/42/net/tcp6",
                HEAD
                        + row(
                                0,
                                "0000000000000000FFFF00000100007F:1F90",
                                "0000000000000000FFFF00000100007F:D2F5",
                                "01",
                                0,
                                1,
                                905));
        Files.createDirectories(dir.resolve("proc/42/fd"));
        Files.createSymbolicLink(dir.resolve("proc/42/fd/5"), Path.of("socket:[900]"));
        Files.createSymbolicLink(dir.resolve("proc/42/fd/6"), Path.of("socket:[903]"));

        Set<Long> listeners = Sockets.listeners(proc, PID);
        Sockets sockets = Sockets.read(proc, PID, listeners);

        assertThat(listeners).containsExactly(900L);
        assertThat(sockets.waitingByPort().values().stream().mapToInt(n -> n).sum()).isEqualTo(2);
        assertThat(sockets.unsent()).isEqualTo(1);
        assertThat(sockets.listenQueue()).isEqualTo(3);
        assertThat(sockets.timeWait()).isEqualTo(1);
        assertThat(sockets.byInode(903).orElseThrow().remote()).isEqualTo("127.0.0.2:5432");
        assertThat(sockets.byInode(905).orElseThrow().remote()).isEqualTo("127.0.0.1:54005");
        assertThat(sockets.own(proc, PID))
                .extracting(SocketStatistics.End::remote)
                .containsExactly("127.0.0.2:5432");
        assertThat(sockets.accepted())
                .extracting(SocketStatistics.End::remote)
                .containsExactlyInAnyOrder("127.0.0.1:54000", "127.0.0.1:54001", "127.0.0.1:54005");

        var direct = new FrontConnections(Optional.of(URI.create("http://localhost:8080/page")));
        var proxied = new FrontConnections(Optional.of(URI.create("http://localhost/page")));
        direct.add(sockets);
        proxied.add(sockets);
        assertThat(direct.held().of(Sign.FRONT_CONNECTIONS)).isEmpty();
        assertThat(proxied.held().of(Sign.FRONT_CONNECTIONS)).contains(3.0);
        assertThat(proxied.held().place(Sign.FRONT_CONNECTIONS)).contains("localhost");
    }

    /// A connection of the service to its own port. There are also one of a client, and one to the
    /// same port number of another machine, from the client's port.
    @Test
    void recognisesSelfCallsByBothEndsOfConnections() throws IOException {
        file(
                "proc/42/net/tcp",
                HEAD
                        + row(0, "0100007F:1F90", "00000000:0000", "0A", 0, 0, 900)
                        + row(1, "0100007F:1F90", "0100007F:D2F0", "01", 0, 0, 901)
                        + row(2, "0100007F:D2F0", "0100007F:1F90", "01", 0, 0, 902)
                        + row(3, "0100007F:1F90", "0100007F:D2F1", "01", 0, 0, 903)
                        + row(4, "0100007F:D2F1", "0200007F:1F90", "01", 0, 0, 904));
        file("proc/42/net/tcp6", HEAD);
        Files.createDirectories(dir.resolve("proc/42/fd"));
        Files.createSymbolicLink(dir.resolve("proc/42/fd/5"), Path.of("socket:[900]"));

        Sockets sockets = Sockets.read(proc, PID, Sockets.listeners(proc, PID));

        assertThat(sockets.toItself()).containsExactly(Map.entry("127.0.0.1:8080", true));
    }

    private static String row(
            int slot, String local, String remote, String state, int tx, int rx, int inode) {
        return String.format(
                "%4d: %s %s %s %08X:%08X 00:00000000 00000000     0        0 %d 1 0 20 4 30 10 -1%n",
                slot, local, remote, state, tx, rx, inode);
    }

    @Test
    void pairsOfLinesOfTheNetworkCountersAreRead() {
        var table =
                SignalsProbe.table(
                        "TcpExt: TW ListenOverflows\nTcpExt: 11 277\nIpExt: A\nIpExt: 1\n");

        assertThat(table)
                .containsEntry("TcpExt:ListenOverflows", 277L)
                .containsEntry("IpExt:A", 1L);
    }

    /// Inodes 1 and 2 belong to the process, 7 to another one. The addresses are written as in
    /// `/proc`: 127.0.0.1, any IPv4 address, ::1, any IPv6 address, 10.0.0.5.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0100007F 1|[127.0.0.1]",
                "00000000 1|[127.0.0.1]",
                "00000000000000000000000001000000 1|[[::1]]",
                "00000000000000000000000000000000 1|[127.0.0.1, [::1]]",
                "0500000A 1|[]",
                "0100007F 7|[]",
                "0500000A 1,0100007F 7|[]",
                "00000000000000000000000000000000 1,0100007F 7|[[::1]]",
                "0100007F 1,00000000000000000000000000000000 7|[127.0.0.1]",
                "00000000 1,00000000 2|[127.0.0.1]",
                "00000000 1,00000000 7|[]"
            })
    void onlyOwnLoopbackAddressesAreSelfCalls(String sockets, String expected) throws IOException {
        var rows = new StringBuilder("  sl  local_address rem_address   st\n");
        for (String socket : sockets.split(",")) {
            String[] s = socket.split(" ");
            rows.append(
                    "   0: %s:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 %s\n"
                            .formatted(s[0], s[1]));
        }
        file("proc/42/net/tcp", rows.toString());
        Files.createDirectories(dir.resolve("proc/42/fd"));
        Files.createSymbolicLink(dir.resolve("proc/42/fd/3"), Path.of("socket:[1]"));
        Files.createSymbolicLink(dir.resolve("proc/42/fd/4"), Path.of("socket:[2]"));

        Set<Sockets.Loopback> own = Sockets.onLoopback(proc, PID);

        assertThat(own.stream().map(Sockets.Loopback::host).sorted().toList())
                .hasToString(expected);
        assertThat(own).allSatisfy(l -> assertThat(l.port()).isEqualTo(0x1F90));
    }
}
