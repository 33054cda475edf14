package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.Standstill;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.Leftovers;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A user stops the JVM with SIGSTOP in the middle of a run.
@Tag("full") // whole runs
@Execution(ExecutionMode.CONCURRENT)
class StoppedTargetTest {
    @TempDir private Path folder;
    private FileServer service;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        service = FileServer.start(folder);
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        signal("CONT");
        service.process().destroy();
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(service.pid())).start().waitFor();
    }

    /// Stops the service in the first second of the last round, for one second or permanently.
    private final class Stop implements TrialListener {
        private final boolean goesOn;
        private boolean now;
        private int seconds;

        Stop(boolean goesOn) {
            this.goesOn = goesOn;
        }

        @Override
        public void phase(String says) {
            now = says.startsWith("measuring with 2");
        }

        @Override
        public void progress(double ofRound, Optional<Double> of, Optional<Double> qps) {
            try {
                if (now && ++seconds == 1) {
                    signal("STOP");
                } else if (now && seconds == 3 && goesOn) {
                    signal("CONT");
                }
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        }

        @Override
        public void round(Round round) {}

        @Override
        public void note(String says) {}
    }

    private TrialOutcome stopped(boolean goesOn) throws InterruptedException {
        Plan plan =
                Plan.of("stopped", service.url(), new Plan.TargetPlan.Attach(service.pid()))
                        .withWarmup(
                                new Plan.Warmup(Duration.ofSeconds(1), Duration.ofSeconds(1), 2))
                        .withEvidence(new Plan.Evidence(Duration.ofSeconds(1), 0))
                        .withRounds(
                                new Plan.Rounds(
                                        Duration.ofSeconds(goesOn ? 5 : 60),
                                        Duration.ofMillis(50),
                                        goesOn ? List.of(1, 2) : List.of(2),
                                        2));
        return new Trial(plan, new Session(folder, new Stop(goesOn), () -> false)).run();
    }

    @Test
    void reportsDurationOfStandstill() throws InterruptedException {
        TrialOutcome outcome = stopped(true);

        List<Standstill> stood = outcome.recording().target().standstills();
        assertThat(stood).hasSize(1);
        assertThat(stood.getFirst().by()).isEqualTo(Standstill.By.SIGNAL);
        assertThat(stood.getFirst().fromS()).isGreaterThan(5);
        assertThat(stood.getFirst().toS().orElseThrow() - stood.getFirst().fromS())
                .isBetween(0.5, 10.0);
        assertThat(outcome.failure()).isEmpty();
        assertThat(MeasuredLoads.of(outcome.recording().rounds())).containsExactly(1, 2);
        assertThat(outcome.recording().warnings())
                .as("it answered again at the end")
                .noneMatch(w -> w.id().equals("left-running"));
        assertThat(folder.resolve("recording.jfr")).isNotEmptyFile();
    }

    @Test
    void permanentStopEndsRunAndReportsLeftoversWithCommands() throws Exception {
        TrialOutcome outcome = stopped(false);

        UserError failure = outcome.failure().orElseThrow();
        assertThat(failure.kind()).isEqualTo(UserError.Kind.INVALID);
        assertThat(failure.why()).contains("since second", "process " + service.pid());
        assertThat(failure.fix()).contains("kill -CONT");
        assertThat(outcome.recording().rounds()).hasSize(1);
        assertThat(outcome.recording().rounds().getFirst().seconds()).isLessThan(60);
        assertThat(outcome.recording().target().standstills())
                .singleElement()
                .satisfies(s -> assertThat(s.toS()).isEmpty());
        List<String> left =
                outcome.recording().warnings().stream()
                        .filter(w -> w.id().equals("left-running"))
                        .map(Warning::says)
                        .toList();
        assertThat(left).anyMatch(s -> s.contains("jcmd " + service.pid() + " JFR.stop name="));

        signal("CONT");
        try (Target target = Target.attach(service.pid())) {
            String command = left.getFirst().replaceFirst(".*jcmd \\d+ ", "");
            assertThat(target.jcmd().run("JFR.check")).contains("name=jdyno-");
            assertThat(target.jcmd().run(command)).contains("Stopped recording");
            assertThat(target.jcmd().run("JFR.check")).doesNotContain("name=jdyno-");
            assertThat(Leftovers.in(target)).isEmpty();
        }
    }
}
