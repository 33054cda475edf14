package dev.jdyno.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.instance.SizeTest.Reason;
import dev.jdyno.instance.SizeTest.Why;
import dev.jdyno.measure.load.Goal;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.GoalKnee.Outcome;
import dev.jdyno.observe.Measures;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.cgroup.Cgroup;
import dev.jdyno.target.cgroup.Cgroups;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Silent;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real starts of a small service in real control groups.
@Tag("full") // starts JVMs and holds loads for a minute
class CgroupVerifyingTest {
    private static final int LIVE_MEBI = 40;
    private static final int OUTSIDE_MEBI = 60;

    @TempDir private Path folder;

    private final Cgroups cgroups = Cgroups.ofThisMachine();

    @BeforeEach
    void needsControlGroups() {
        try {
            cgroups.check();
        } catch (UserError missing) {
            assumeTrue(false, "control groups cannot be made here: " + missing.why());
        }
    }

    private Verifying verifying(double ratePerS, long steps) throws URISyntaxException {
        return verifying("", ratePerS, steps);
    }

    /// @param before commands of the shell before it starts the service
    private Verifying verifying(String before, double ratePerS, long steps)
            throws URISyntaxException {
        Path classes =
                Path.of(
                        CpuServer.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        String command =
                "%s%s -XX:+UseSerialGC -cp '%s' %s {port} %d %d %d"
                        .formatted(
                                before,
                                Path.of(System.getProperty("java.home"), "bin", "java"),
                                classes,
                                CpuServer.class.getName(),
                                steps,
                                LIVE_MEBI,
                                OUTSIDE_MEBI);
        Plan plan =
                Plan.of(
                                "sized",
                                URI.create("http://127.0.0.1:1/"),
                                new Plan.TargetPlan.Launch(command))
                        .withWarmup(
                                new Plan.Warmup(Duration.ofSeconds(2), Duration.ofSeconds(4), 4));
        var wish =
                new SizeWish(
                        ratePerS,
                        1,
                        0,
                        List.of(Goal.responseTime("p90<2s", 0.9, 2000)),
                        SizeFixture.GRID,
                        Optional.empty(),
                        Duration.ofMinutes(10));
        return new CgroupVerifying(
                plan, wish, new Session(folder, new Silent(), () -> false), cgroups);
    }

    private void nothingIsLeft() {
        // a group that is made now has a sibling only if one was left
        try (Cgroup probe = cgroups.make(1, new InstanceSize(1000, 64).memory())) {
            for (Path own : probe.folders()) {
                assertThat(own.getParent())
                        .isDirectoryNotContaining(
                                p -> isOurs(p) && Files.isDirectory(p) && !p.equals(own));
            }
        }
    }

    private static boolean isOurs(Path folder) {
        return String.valueOf(folder.getFileName())
                .startsWith("jdyno-size-" + ProcessHandle.current().pid() + "-");
    }

    @Measures
    @Test
    void aSizeWithRoomIsGoodAndShowsItsDemand() throws Exception {
        SizeTest test =
                verifying(20, 1_000_000)
                        .verify(new InstanceSize(1000, 512), Why.FULL, List.of(), List.of())
                        .orElseThrow();

        SizeTest.Figures figures = test.figures().orElseThrow();
        // beside other processes the queue may vary too much to decide
        assertThat(test.outcome())
                .as(test.toString())
                .isIn(
                        figures.disturbed()
                                ? List.of(Outcome.GOOD, Outcome.OPEN)
                                : List.of(Outcome.GOOD));
        assertThat(figures.cpuMsPerRequest()).isPositive();
        long live = figures.memory().orElseThrow().liveBytes() >> 20;
        long outside = figures.memory().orElseThrow().outsideBytes() >> 20;
        assertThat(live).isBetween((long) LIVE_MEBI, LIVE_MEBI + 15L);
        assertThat(outside).isBetween((long) OUTSIDE_MEBI, OUTSIDE_MEBI + 120L);
        assertThat(test.memoryPeak().orElseThrow().inMebi())
                .isGreaterThan(LIVE_MEBI + OUTSIDE_MEBI);
        nothingIsLeft();
    }

    /// Memory outside the heap alone does not fit.
    @Test
    void aKillByTheKernelIsAResult() throws Exception {
        SizeTest test =
                verifying(20, 1_000_000)
                        .verify(
                                new InstanceSize(1000, 96),
                                Why.SMALLER_MEMORY,
                                List.of("-Xmx64m"),
                                List.of())
                        .orElseThrow();

        assertThat(test.outcome()).isEqualTo(Outcome.BAD);
        assertThat(test.reason()).isEqualTo(Reason.OOM_KILLED);
        assertThat(test.oomKills()).isPositive();
        nothingIsLeft();
    }

    @Test
    void aHeapThatIsTooSmallIsAResult() throws Exception {
        SizeTest test =
                verifying(20, 1_000_000)
                        .verify(
                                new InstanceSize(1000, 256),
                                Why.SMALLER_MEMORY,
                                List.of("-Xmx32m"),
                                List.of())
                        .orElseThrow();

        assertThat(test.reason()).isEqualTo(Reason.HEAP_FULL);
        nothingIsLeft();
    }

    /// A group inside it keeps the kernel from removing it.
    @Test
    void theResultCountsIfTheGroupStays() throws Exception {
        List<Path> parents;
        try (Cgroup probe = cgroups.make(1, new InstanceSize(1000, 64).memory())) {
            parents = probe.folders().stream().map(Path::getParent).toList();
        }
        String inner =
                parents.stream()
                        .map(p ->
                                "for g in '%s'/jdyno-size-%d-*; do mkdir \"$g/inner\"; done; "
                                        .formatted(p, ProcessHandle.current().pid()))
                        .collect(Collectors.joining());
        Verifying verifying = verifying(inner, 20, 1_000_000);
        try {
            SizeTest test =
                    verifying
                            .verify(
                                    new InstanceSize(1000, 256),
                                    Why.SMALLER_MEMORY,
                                    List.of("-Xmx32m"),
                                    List.of())
                            .orElseThrow();

            assertThat(test.reason()).isEqualTo(Reason.HEAP_FULL);
            assertThat(verifying.blocked()).isPresent();
        } finally {
            for (Path parent : parents) {
                removeOurs(parent);
            }
        }
        nothingIsLeft();
    }

    private static void removeOurs(Path parent) throws IOException {
        try (Stream<Path> all = Files.list(parent)) {
            for (Path ours : all.filter(CgroupVerifyingTest::isOurs).toList()) {
                Files.deleteIfExists(ours.resolve("inner"));
                Files.deleteIfExists(ours);
            }
        }
    }

    /// 100 requests of at least 10 ms need five times the quota.
    @Measures
    @Test
    void tooLittleCpuIsAResultWithItsThrottling() throws Exception {
        SizeTest test =
                verifying(100, 10_000_000)
                        .verify(
                                new InstanceSize(200, 512),
                                Why.SMALLER_CPU,
                                List.of("-Xmx128m"),
                                List.of())
                        .orElseThrow();

        assertThat(test.outcome()).isEqualTo(Outcome.BAD);
        assertThat(test.reason()).isEqualTo(Reason.QUEUE_GROWS);
        SizeTest.Figures figures = test.figures().orElseThrow();
        assertThat(figures.cpuCores()).isLessThan(0.25);
        assertThat(figures.throttledPct()).isGreaterThan(30);
        nothingIsLeft();
    }
}
