package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Attempt;
import dev.jdyno.measure.Challenge;
import dev.jdyno.measure.Intervention;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An experiment that cannot be reverted: the process that would restore the target's CPUs is
/// killed while the target has fewer CPUs.
@Tag("full") // a whole run with its proof
class NotTakenBackTest {
    @TempDir private Path folder;
    private FileServer service;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one CPU");
        service = FileServer.start(folder);
    }

    @AfterEach
    void end() {
        if (service != null) {
            // the service is terminated, because a killed JVM leaves its recordings
            service.process().destroy();
        }
    }

    /// Kills the process that waits to restore the CPUs as soon as an experiment runs.
    private static final class KillGuard implements TrialListener {
        private volatile boolean proving;

        @Override
        public void phase(String says) {
            proving = says.startsWith("testing the verdict");
        }

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
            if (proving) {
                ProcessHandle.current()
                        .children()
                        .filter(c ->
                                c.info()
                                        .arguments()
                                        .map(a -> String.join(" ", a).contains("taskset -a"))
                                        .orElse(false))
                        .forEach(ProcessHandle::destroyForcibly);
            }
        }

        @Override
        public void round(Round round) {}

        @Override
        public void note(String says) {}
    }

    @Test
    void reportsRepairAndStopsExperiments() throws InterruptedException {
        Plan plan =
                Plan.of("crippled", service.url(), new Plan.TargetPlan.Attach(service.pid()))
                        .withWarmup(
                                new Plan.Warmup(Duration.ofSeconds(1), Duration.ofSeconds(1), 2))
                        .withEvidence(new Plan.Evidence(Duration.ofSeconds(1), 0))
                        .withRounds(
                                new Plan.Rounds(
                                        Duration.ofSeconds(2),
                                        Duration.ofMillis(50),
                                        List.of(2),
                                        2));
        var fewer =
                new Challenge(
                        new Intervention.FewerCores(1),
                        2,
                        Challenge.Figure.QPS,
                        0.5,
                        new Interval(0.4, 0.75),
                        "");
        var twice =
                new Challenge(
                        new Intervention.InFlight(4),
                        2,
                        Challenge.Figure.QPS,
                        1,
                        new Interval(0.6, 1.3),
                        "");

        TrialOutcome outcome =
                new Trial(plan, new Session(folder, new KillGuard(), () -> false))
                        .run((_, _) -> List.of(fewer, twice));

        String repair = "taskset -a -p -c ";
        assertThat(outcome.attempts())
                .hasSize(2)
                .allSatisfy(a -> assertThat(a).isInstanceOf(Attempt.NotMade.class));
        assertThat(((Attempt.NotMade) outcome.attempts().getFirst()).reason())
                .startsWith("the target still runs on fewer CPUs")
                .contains(repair);
        assertThat(((Attempt.NotMade) outcome.attempts().getLast()).reason())
                .isEqualTo("not tried, for the target still runs on fewer CPUs");
        assertThat(outcome.failure().orElseThrow().kind()).isEqualTo(UserError.Kind.TARGET);
        assertThat(outcome.failure().orElseThrow().fix())
                .startsWith(repair)
                .endsWith(" " + service.pid());
        assertThat(outcome.recording().warnings())
                .anyMatch(w -> w.id().equals("not-taken-back") && w.says().contains(repair));
        assertThat(outcome.recording().partial()).isFalse();
    }
}
