package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jdyno.judge.Judge;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.MemoryGroup;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A JVM whose direct buffers grow while its heap contains only garbage. The memory of its control
/// group is too small for both.
@Tag("full") // a run until the kernel kills the service
class KilledAtLimitTest {
    private static final int LIMIT_MIB = 320;

    @TempDir private Path folder;

    @Test
    void reportsKillAtMemoryLimitInsteadOfFullHeap() throws Exception {
        assumeTrue(MemoryGroup.canBeMade(), "root, and a mounted memory controller");
        TrialOutcome outcome;
        boolean alive;
        try (MemoryGroup group = MemoryGroup.limitedTo(LIMIT_MIB);
                Target target =
                        Victims.launchIn(
                                group.folder(),
                                Victims.jdks().getFirst(),
                                folder,
                                "direct",
                                "-Xms64m",
                                "-Xmx64m",
                                "-XX:+UseSerialGC",
                                "-XX:MaxDirectMemorySize=4g")) {
            outcome = loaded(target.pid());
            alive = target.isAlive();
        }

        assertThat(alive).isFalse();
        UserError failure = outcome.failure().orElseThrow();
        assertThat(failure.kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(failure.what())
                .contains("killed by the kernel at the group's limit")
                .doesNotContain("heap was full");
        assertThat(failure.why())
                .contains(
                        "320 MiB of memory",
                        "maximum 64.0 MiB",
                        "no leak in the heap",
                        "outside the heap");
        assertThat(failure.fix()).contains("-XX:MaxRAMPercentage", "-XX:MaxDirectMemorySize");
        assertThat(outcome.recording().partial()).isTrue();
        assertThat(outcome.recording().warnings())
                .anyMatch(
                        w -> w.id().equals("cut-short") && w.says().contains("the group's limit"));
        if (!outcome.recording().rounds().isEmpty()) {
            assertThat(Judge.verdict(outcome.recording()).bottleneck())
                    .isNotEqualTo(Bottleneck.GC_LEAK);
        }
    }

    private TrialOutcome loaded(long pid) throws Exception {
        Plan plan =
                Plan.of(
                                "killed",
                                URI.create("http://127.0.0.1:" + Victims.port(folder) + "/"),
                                new Plan.TargetPlan.Attach(pid))
                        .withWarmup(
                                new Plan.Warmup(Duration.ofSeconds(1), Duration.ofSeconds(1), 4))
                        .withEvidence(new Plan.Evidence(Duration.ofSeconds(1), 0))
                        .withRounds(
                                new Plan.Rounds(
                                        Duration.ofMinutes(2),
                                        Duration.ofMillis(50),
                                        List.of(4),
                                        4));
        Path out = Files.createDirectory(folder.resolve("out"));
        return new Trial(plan, new Session(out, new Silent(), () -> false)).run();
    }
}
