package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.verdict.GoalKnee;
import dev.jdyno.measure.verdict.Validity;
import dev.jdyno.plan.GoalText;
import dev.jdyno.plan.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A separate JVM is killed in the middle of a run. The measurements before that are kept.
class CutShortTest {
    @TempDir private Path folder;
    private FileServer service;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        service = FileServer.start(folder);
    }

    @AfterEach
    void end() {
        service.process().destroyForcibly();
    }

    /// Kills the service after one second of load in the phase whose name begins with this text.
    private static final class KillIn implements TrialListener {
        private final String phase;
        private final Process service;
        private volatile boolean now;

        KillIn(String phase, Process service) {
            this.phase = phase;
            this.service = service;
        }

        @Override
        public void phase(String says) {
            now = says.startsWith(phase);
        }

        @Override
        public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {
            if (now && seconds >= 1) {
                service.destroyForcibly();
            }
        }

        @Override
        public void round(Round round) {}

        @Override
        public void note(String says) {}
    }

    private TrialOutcome killedIn(String phase) throws InterruptedException {
        return killedIn(phase, Optional.empty());
    }

    private TrialOutcome killedIn(String phase, Optional<Plan.GoalSearch> search)
            throws InterruptedException {
        Plan bare =
                Plan.of("killed", service.url(), new Plan.TargetPlan.Attach(service.pid()))
                        .withWarmup(
                                new Plan.Warmup(Duration.ofSeconds(3), Duration.ofSeconds(3), 2))
                        .withRounds(
                                new Plan.Rounds(
                                        Duration.ofSeconds(30),
                                        Duration.ofMillis(50),
                                        List.of(1, 2),
                                        2));
        Plan plan =
                new Plan(
                        bare.name(),
                        bare.request(),
                        bare.target(),
                        bare.course(),
                        search,
                        bare.proving(),
                        bare.inside());
        return new Trial(
                        plan,
                        new Session(folder, new KillIn(phase, service.process()), () -> false))
                .run();
    }

    @Tag("full") // whole runs
    @Test
    void keepsPartOfRoundBeforeTargetEnded() throws InterruptedException {
        TrialOutcome outcome = killedIn("measuring with 1");

        assertThat(outcome.failure()).isPresent();
        assertThat(outcome.recording().partial()).isTrue();
        assertThat(outcome.recording().rounds()).hasSize(1);
        assertThat(outcome.recording().rounds().getFirst().requests()).isPositive();
        assertThat(outcome.recording().rounds().getFirst().seconds()).isLessThan(30);
        assertThat(outcome.recording().warnings())
                .anyMatch(w ->
                        w.id().equals("cut-short")
                                && w.says().contains("ended in the middle of the run"))
                .anyMatch(w ->
                        w.id().equals(Validity.SEARCH_CUT)
                                && w.says().contains(": 2 in flight not run"));
    }

    @Test
    void targetThatEndsInWarmUpGivesRecordingWithoutRounds() throws InterruptedException {
        TrialOutcome outcome = killedIn("warming up");

        assertThat(outcome.failure()).isPresent();
        assertThat(outcome.recording().partial()).isTrue();
        assertThat(outcome.recording().rounds()).isEmpty();
        assertThat(outcome.recording().warmupSeconds().orElseThrow()).isPositive();
        assertThat(outcome.recording().warnings()).anyMatch(w -> w.id().equals("cut-short"));
        assertThat(outcome.goal()).as("none was asked for").isEmpty();
    }

    @Tag("full") // whole runs
    @Test
    void searchEndedBeforeFirstRateKeepsItsGoals() throws InterruptedException {
        var wanted =
                new Plan.GoalSearch(
                        GoalText.goals("p99<100ms"),
                        Optional.empty(),
                        0.05,
                        OptionalDouble.empty());

        TrialOutcome outcome = killedIn("warming up", Optional.of(wanted));

        assertThat(outcome.goal().orElseThrow().goals()).containsExactly("p99<100ms");
        assertThat(outcome.goal().orElseThrow().isUntested()).isTrue();
        assertThat(outcome.goal().orElseThrow().reason()).isEqualTo(GoalKnee.Reason.TARGET_FAILED);
    }
}
