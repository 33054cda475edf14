package dev.jdyno.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.measure.Eventually;
import dev.jdyno.observe.host.CpuLimits;
import dev.jdyno.target.ProcFs;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A JVM with a flag that sets more processors than its real control group has, and one with a flag
/// that sets fewer than it may use.
@Tag("full") // watches a JVM for seconds
@Timeout(300)
class BelievedProcessorsTest {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");

    /// Share of the quota's periods that stop a service which always computes, in percent. It is
    /// lower where other processes hold the cores so long that the quota is not used up.
    private static final double REACHED_PCT = 80;

    @TempDir Path dir;

    /// A control group with a quota of half a core. Uses version 1 of the CPU controller if the
    /// machine has it.
    private static Path halfACore() throws IOException {
        Path first = GROUPS.resolve("cpu");
        boolean old = Files.isDirectory(first);
        Path parent = old ? first : GROUPS;
        boolean may =
                Files.isWritable(parent)
                        && (old
                                || Files.readString(parent.resolve("cgroup.subtree_control"))
                                        .contains("cpu"));
        assumeTrue(may, "no control group can be made here");
        Path group = parent.resolve("jdyno-test-" + ProcessHandle.current().pid());
        Files.createDirectory(group);
        Files.writeString(
                group.resolve(old ? "cpu.cfs_quota_us" : "cpu.max"),
                old ? "50000" : "50000 100000");
        return group;
    }

    private static JsonNode diagnosed(Target target) {
        CliOutput said =
                CliOutput.jdyno(
                        "diagnose",
                        Long.toString(target.pid()),
                        "--duration",
                        "5s",
                        "--dumps",
                        "4",
                        "--json",
                        "--quiet");
        assertThat(said.code()).as(said.err()).isZero();
        return JsonMapper.shared().readTree(said.out());
    }

    @Test
    void recommendsFixForProcessorCountAboveQuota() throws Exception {
        Path group = halfACore();
        try (Target target =
                Victims.launch(
                        Victims.jdks().getFirst(),
                        dir,
                        "compute",
                        "-Xmx64m",
                        "-XX:+UseG1GC",
                        "-XX:ActiveProcessorCount=16")) {
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(target.pid()));

            CpuLimits limits = CpuLimits.of(ProcFs.SYSTEM, target.pid());
            List<CpuLimits.Throttling> before = limits.throttling();
            JsonNode document = diagnosed(target);
            assertThat(document.at("/target/cores").doubleValue()).isEqualTo(0.5);
            assumeTrue(
                    CpuLimits.worst(before, limits.throttling()).periodsPct() > REACHED_PCT,
                    "other processes use the cores: the quota is seldom reached");
            assertThat(document.at("/verdict/bottleneck").stringValue())
                    .as(document.get("verdict").toString())
                    .isEqualTo("cpu-quota");
            assertThat(document.get("prescriptions"))
                    .anySatisfy(p -> {
                        assertThat(p.get("id").stringValue()).isEqualTo("processors-quota");
                        assertThat(p.get("change").stringValue())
                                .isEqualTo("-XX:ActiveProcessorCount=1");
                    })
                    .anySatisfy(p -> {
                        assertThat(p.get("id").stringValue()).isEqualTo("gc-threads-quota");
                        assertThat(p.get("change").stringValue())
                                .isEqualTo("-XX:ParallelGCThreads=1");
                    });
        } finally {
            Eventually.until(
                    "an empty group",
                    () -> Files.readString(group.resolve("cgroup.procs")).isBlank());
            Files.delete(group);
        }
    }

    /// One collector thread stops four threads whose objects overflow the young generation.
    @Test
    void recommendsTheProcessorsThatTheJvmMayUse() throws Exception {
        try (Target target =
                Victims.launch(
                        Victims.jdks().getFirst(),
                        dir,
                        "promote",
                        "-Xmx32m",
                        "-Xmn4m",
                        "-XX:+UseParallelGC",
                        "-XX:ActiveProcessorCount=1")) {
            JsonNode document = diagnosed(target);

            double cores = document.at("/target/cores").doubleValue();
            assumeTrue(cores >= 2, "the machine has a single core");
            String bottleneck = document.at("/verdict/bottleneck").stringValue();
            assumeFalse(bottleneck.equals("cpu-neighbour"), "other processes use the cores");
            assertThat(document.at("/gc/pauseShare").doubleValue()).isGreaterThan(0.1);
            assertThat(bottleneck).isIn("gc-promotion", "gc-allocation", "gc-live-set");
            assertThat(document.get("prescriptions"))
                    .filteredOn(p -> p.get("id").stringValue().startsWith("processors"))
                    .singleElement()
                    .satisfies(p -> {
                        assertThat(p.get("id").stringValue()).isEqualTo("processors-more");
                        assertThat(p.get("change").stringValue())
                                .isEqualTo("-XX:ActiveProcessorCount=" + (int) cores);
                    });
        }
    }
}
