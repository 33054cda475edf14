package dev.jdyno.target.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.Bytes;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.target.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupsTest {
    private static final String V1 =
            """
            cgroup /c/cpu cgroup rw,relatime,cpu,cpuacct 0 0
            cgroup /c/memory cgroup rw,relatime,memory 0 0
            cgroup /c/systemd cgroup rw,none,name=systemd 0 0
            """;
    private static final String V2 = "cgroup2 /c cgroup2 rw,nosuid 0 0\n";
    private static final Bytes MEMORY = Bytes.mebi(256);

    @TempDir private Path proc;

    private Cgroups cgroups(FakeKernel kernel, String mounts, String own, boolean systemd)
            throws IOException {
        return cgroups(kernel, mounts, own, systemd, NanoClock.SYSTEM);
    }

    private Cgroups cgroups(
            FakeKernel kernel, String mounts, String own, boolean systemd, NanoClock clock)
            throws IOException {
        long pid = ProcessHandle.current().pid();
        Files.createDirectories(proc.resolve("self"));
        Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(proc.resolve("mounts"), mounts);
        Files.writeString(proc.resolve("self/cgroup"), own);
        stat(pid, 777);
        return new Cgroups(kernel, new ProcFs(proc), clock, systemd);
    }

    private void stat(long pid, long ticks) throws IOException {
        Path of = Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(
                of.resolve("stat"),
                pid + " (java) S 1 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 " + ticks + " 0 0\n");
    }

    private static FakeKernel kernel1() {
        return FakeKernel.v1()
                .with("/c/cpu")
                .with("/c/cpu/box")
                .with("/c/memory")
                .with("/c/memory/pod")
                .with("/c/memory/pod/box");
    }

    private static final String OWN1 = "4:memory:/pod/box\n3:cpu,cpuacct:/box\n1:name=systemd:/\n";

    @Test
    void version1LimitsAGroupBelowOurOwnOfEachController() throws IOException {
        FakeKernel kernel = kernel1();

        try (Cgroup group = cgroups(kernel, V1, OWN1, false).make(0.6, MEMORY)) {
            Path cpu = group.folders().getFirst();
            Path memory = group.folders().getLast();
            assertThat(cpu.getParent()).isEqualTo(Path.of("/c/cpu/box"));
            assertThat(memory.getParent()).isEqualTo(Path.of("/c/memory/pod/box"));
            assertThat(kernel.groups().get(cpu))
                    .containsEntry("cpu.cfs_period_us", "100000")
                    .containsEntry("cpu.cfs_quota_us", "60000");
            assertThat(kernel.groups().get(memory))
                    .containsEntry("memory.limit_in_bytes", "268435456")
                    .containsEntry("memory.memsw.limit_in_bytes", "268435456");
        }

        assertThat(kernel.groups()).hasSize(5);
    }

    /// A container without a group namespace does not see the path of its own group.
    @Test
    void version1UsesTheMountPointIfTheOwnPathIsNotVisible() throws IOException {
        FakeKernel kernel = FakeKernel.v1().with("/c/cpu").with("/c/memory");

        try (Cgroup group =
                cgroups(kernel, V1, "4:memory:/docker/ab\n3:cpu:/docker/ab\n", false)
                        .make(1, MEMORY)) {
            assertThat(group.folders())
                    .extracting(Path::getParent)
                    .containsExactly(Path.of("/c/cpu"), Path.of("/c/memory"));
        }
    }

    @Test
    void swapIsLimitedOnlyWhereTheKernelCountsIt() throws IOException {
        FakeKernel kernel =
                FakeKernel.v2().with("/c").with("/c", "cgroup.subtree_control", "cpu memory");

        try (Cgroup group = cgroups(kernel, V2, "0::/\n", false).make(1.5, MEMORY)) {
            assertThat(kernel.groups().get(group.folders().getFirst()))
                    .containsEntry("cpu.max", "150000 100000")
                    .containsEntry("memory.max", "268435456")
                    .containsEntry("memory.swap.max", "0");
        }
    }

    /// A group with processes cannot give controllers to groups below it, so the new group is
    /// beside our own.
    @Test
    void version2TakesTheNearestGroupThatGivesBothControllers() throws IOException {
        FakeKernel kernel =
                FakeKernel.v2()
                        .with("/c")
                        .with("/c", "cgroup.subtree_control", "cpuset cpu io memory pids\n")
                        .with("/c/user")
                        .with("/c/user", "cgroup.subtree_control", "cpu memory\n")
                        .with("/c/user/app")
                        .with("/c/user/app", "cgroup.subtree_control", "memory pids\n")
                        .with("/c/user/app/run.scope")
                        .with("/c/user/app/run.scope", "cgroup.subtree_control", "");

        try (Cgroup group = cgroups(kernel, V2, "0::/user/app/run.scope\n", true).make(2, MEMORY)) {
            assertThat(group.folders()).hasSize(1);
            assertThat(group.folders().getFirst().getParent()).isEqualTo(Path.of("/c/user"));
        }
    }

    @Test
    void aPathOutOfTheMountIsNotFollowed() throws IOException {
        FakeKernel kernel =
                FakeKernel.v2()
                        .with("/c")
                        .with("/c", "cgroup.subtree_control", "cpu memory")
                        .with("/etc")
                        .with("/etc", "cgroup.subtree_control", "cpu memory");

        try (Cgroup group = cgroups(kernel, V2, "0::/../etc\n", true).make(2, MEMORY)) {
            assertThat(group.folders().getFirst().getParent()).isEqualTo(Path.of("/c"));
        }
    }

    @Test
    void missingRightsNameSystemdRunWhereItExists() throws IOException {
        FakeKernel kernel = kernel1().readOnly("/c/cpu/box");

        UserError with =
                catchThrowableOfType(
                        UserError.class, () -> cgroups(kernel, V1, OWN1, true).check());
        UserError without =
                catchThrowableOfType(
                        UserError.class, () -> cgroups(kernel, V1, OWN1, false).check());

        assertThat(with.kind()).isEqualTo(UserError.Kind.USAGE);
        assertThat(with.why()).contains("/c/cpu/box", "Read-only");
        assertThat(with.fix()).contains("systemd-run --scope");
        assertThat(without.fix()).doesNotContain("systemd-run");
    }

    @Test
    void noControllersAndHalfOfThemAreRefused() throws IOException {
        FakeKernel kernel = FakeKernel.v2().with("/c").with("/c/cpu").with("/c/memory");

        for (String mounts :
                new String[] {"", V2, V1.lines().findFirst().orElseThrow() + "\n" + V2}) {
            assertThat(
                            catchThrowableOfType(
                                    UserError.class,
                                    () -> cgroups(kernel, mounts, "0::/\n", true).check()))
                    .as(mounts)
                    .isNotNull();
        }
        assertThat(kernel.groups()).hasSize(3);
    }

    @Test
    void nothingIsLeftIfOneOfTheLimitsIsRefused() throws IOException {
        for (String file :
                new String[] {
                    "cpu.cfs_quota_us", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"
                }) {
            FakeKernel kernel = kernel1().refusing(file);

            assertThat(
                            catchThrowableOfType(
                                    UserError.class,
                                    () -> cgroups(kernel, V1, OWN1, false).make(1, MEMORY)))
                    .as(file)
                    .isNotNull();
            assertThat(kernel.groups()).hasSize(5);
        }
        FakeKernel kernel = kernel1().readOnly("/c/memory/pod/box");
        assertThat(
                        catchThrowableOfType(
                                UserError.class,
                                () -> cgroups(kernel, V1, OWN1, false).make(1, MEMORY)))
                .isNotNull();
        assertThat(kernel.groups()).hasSize(5);
    }

    @Test
    void theShellEntersBeforeTheCommandAndKeepsItsText() throws IOException {
        FakeKernel kernel = kernel1();

        try (Cgroup group = cgroups(kernel, V1, OWN1, false).make(1, MEMORY)) {
            String command = group.entering("cd app; exec java -jar 'a b.jar'");

            assertThat(command.lines().toList())
                    .hasSize(3)
                    .last()
                    .isEqualTo("cd app; exec java -jar 'a b.jar'");
            assertThat(command.lines().limit(2))
                    .allMatch(l -> l.startsWith("echo 0 > '/c/") && l.endsWith("|| exit 125"));
        }
    }

    @Test
    void readsCountsOfBothVersions() throws IOException {
        FakeKernel one = kernel1();
        try (Cgroup group = cgroups(one, V1, OWN1, false).make(1, MEMORY)) {
            one.with(
                    group.folders().getLast().toString(),
                    "memory.oom_control",
                    "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
            one.with(
                    group.folders().getLast().toString(), "memory.max_usage_in_bytes", "1048576\n");

            assertThat(group.use()).isEqualTo(new CgroupUse(2, Optional.of(Bytes.mebi(1))));
        }
        FakeKernel two =
                FakeKernel.v2().with("/c").with("/c", "cgroup.subtree_control", "cpu memory");
        try (Cgroup group = cgroups(two, V2, "0::/\n", false).make(1, MEMORY)) {
            String folder = group.folders().getFirst().toString();
            two.with(folder, "memory.events", "low 0\noom 4\noom_kill 1\noom_group_kill 0\n");

            assertThat(group.use()).isEqualTo(new CgroupUse(1, Optional.empty()));
        }
    }

    /// A group with a process, on a clock that passes limits soon.
    private Cgroup groupWith(FakeKernel kernel, long pid) throws IOException {
        var clock = new AtomicLong();
        NanoClock fast = () -> clock.addAndGet(500_000_000);
        Cgroup group = cgroups(kernel, V1, OWN1, false, fast).make(1, MEMORY);
        for (Path folder : group.folders()) {
            kernel.with(folder.toString(), "cgroup.procs", pid + "\n");
        }
        return group;
    }

    @Test
    void aProcessThatAKilledOneStartedIsKilledToo() throws IOException {
        FakeKernel kernel = kernel1().forking(12L, 13L);

        groupWith(kernel, 11).close();

        assertThat(kernel.groups()).hasSize(5);
    }

    @Test
    void anInterruptLeavesNoGroup() throws IOException {
        FakeKernel kernel = kernel1();
        Cgroup group = groupWith(kernel, 11);

        Thread.currentThread().interrupt();
        group.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(kernel.groups()).hasSize(5);
    }

    @Test
    void removesOnlyEmptyGroupsOfRunsThatWereKilled() throws IOException {
        long pid = ProcessHandle.current().pid();
        FakeKernel kernel =
                kernel1()
                        .with("/c/cpu/box/jdyno-size-99-5-1")
                        .with("/c/memory/pod/box/jdyno-size-99-5-1")
                        .with("/c/cpu/box/jdyno-size-99-5-2")
                        .with("/c/cpu/box/jdyno-size-99-5-2", "cgroup.procs", "4711\n")
                        .with("/c/cpu/box/jdyno-size-" + pid + "-777-9")
                        .with("/c/cpu/box/jdyno-size-" + pid + "-776-9")
                        .with("/c/cpu/box/jdyno-size-x")
                        .with("/c/cpu/box/kept");

        assertThat(cgroups(kernel, V1, OWN1, false).removeLeft())
                .containsExactlyInAnyOrder(
                        Path.of("/c/cpu/box/jdyno-size-99-5-1"),
                        Path.of("/c/memory/pod/box/jdyno-size-99-5-1"),
                        Path.of("/c/cpu/box/jdyno-size-" + pid + "-776-9"));
        assertThat(kernel.groups())
                .containsKeys(
                        Path.of("/c/cpu/box/kept"),
                        Path.of("/c/cpu/box/jdyno-size-x"),
                        Path.of("/c/cpu/box/jdyno-size-99-5-2"),
                        Path.of("/c/cpu/box/jdyno-size-" + pid + "-777-9"));
    }

    @Test
    void mountsOfBothVersionsAreRead() throws IOException {
        Files.writeString(proc.resolve("mounts"), V1 + V2 + "short line\n");

        ControlMounts mounts = ControlMounts.of(new ProcFs(proc));

        assertThat(mounts.controllers())
                .containsAllEntriesOf(
                        Map.of(
                                "cpu", Path.of("/c/cpu"),
                                "cpuacct", Path.of("/c/cpu"),
                                "memory", Path.of("/c/memory")));
        assertThat(mounts.unified()).contains(Path.of("/c"));
        assertThat(ControlMounts.group(OWN1, "cpu")).contains("/box");
        assertThat(ControlMounts.group(OWN1, "pids")).isEmpty();
        assertThat(ControlMounts.group("0::/a:b\n")).contains("/a:b");
        assertThat(ControlMounts.group(OWN1)).isEmpty();
    }
}
