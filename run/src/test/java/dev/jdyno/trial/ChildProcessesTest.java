package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.jdyno.judge.Judge;
import dev.jdyno.measure.CpuUse;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.verdict.Bottleneck;
import dev.jdyno.measure.verdict.Verdict;
import dev.jdyno.observe.Measures;
import dev.jdyno.plan.Plan;
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

/// A service that starts a shell for each request. The shell uses the CPU.
@Tag("full") // a whole run
class ChildProcessesTest {
    @TempDir private Path folder;

    @Measures
    @Test
    void cpuOfChildProcessesCountsForTheServiceAndNamesTheirProgram() throws Exception {
        Recording recording;
        try (Target target = Victims.launch(Victims.jdks().getFirst(), folder, "children")) {
            Plan plan =
                    Plan.of(
                                    "children",
                                    URI.create("http://127.0.0.1:" + Victims.port(folder) + "/"),
                                    new Plan.TargetPlan.Attach(target.pid()))
                            .withWarmup(
                                    new Plan.Warmup(
                                            Duration.ofSeconds(2), Duration.ofSeconds(2), 4))
                            .withEvidence(new Plan.Evidence(Duration.ofSeconds(2), 4))
                            .withRounds(
                                    new Plan.Rounds(
                                            Duration.ofSeconds(3),
                                            Duration.ofMillis(50),
                                            List.of(1, 4),
                                            4));
            Path out = Files.createDirectory(folder.resolve("out"));
            recording =
                    new Trial(plan, new Session(out, new Silent(), () -> false)).run().recording();
        }

        CpuUse cpu = recording.rounds().getLast().cpu().orElseThrow();
        assertThat(cpu.childCores()).isGreaterThan(cpu.ownCores());
        assertThat(cpu.children().getFirst().name()).isEqualTo("sh");
        assertThat(cpu.neighbours()).noneMatch(n -> n.name().equals("sh"));
        assumeThat(cpu.heldByOthers()).as("others beside this test: %s", cpu).isLessThan(0.2);
        Verdict verdict = Judge.verdict(recording);
        assertThat(verdict.bottleneck()).isEqualTo(Bottleneck.CPU);
        assertThat(verdict.where()).contains("child processes", "sh");
        assertThat(verdict.evidence()).anyMatch(e -> e.id().equals("child-cores"));
    }
}
