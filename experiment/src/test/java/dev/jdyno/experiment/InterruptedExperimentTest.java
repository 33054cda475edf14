package dev.jdyno.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.server.Watched;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.TrialListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ctrl-C while an experiment waits for a process. Without it, the processes would run for an hour.
@Timeout(300)
class InterruptedExperimentTest {
    @TempDir Path dir;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<String> phases = new ArrayList<>();

    private final TrialListener listener =
            new TrialListener() {
                @Override
                public void phase(String says) {
                    phases.add(says);
                }

                @Override
                public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {}

                @Override
                public void round(Round round) {}

                @Override
                public void note(String says) {}
            };

    @Test
    void aWatchedProcessEndsWithTheRun() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sleep", "3600").start();
        try (var _ = new Watched(process, stop::get, Duration.ofHours(1))) {
            stop.set(true);

            assertThat(process.waitFor()).isNotZero();
        }
    }

    @Test
    void endsWatchedProcessAtTimeLimit() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sleep", "3600").start();
        try (var _ = new Watched(process, stop::get, Duration.ofMillis(1))) {
            assertThat(process.waitFor()).isNotZero();
        }
    }

    @Test
    void leavesNoProcessAfterInterrupt() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sleep", "3600").start();
        new Watched(process, stop::get, Duration.ofHours(1)).close();

        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void stoppedExperimentStartsNoFurtherPart() {
        stop.set(true);
        try (Lab lab = Lab.open(Optional.of(dir.resolve("lab.jar")), dir)) {
            var bench = new Bench(lab, dir, listener, NanoClock.SYSTEM, stop::get);

            assertThatThrownBy(() -> new ThreadsUntilFailure().run(bench))
                    .isInstanceOf(UserError.class);
        }
        assertThat(phases).isEmpty();
    }

    @Test
    void endsProcessWithFewPortsWithRun() throws InterruptedException {
        stop.set(true);

        // without unshare(1) no process is started, and no message is printed
        assertThat(FewPorts.output(List.of("lab", "E24"), dir, stop::get)).isEmpty();
    }
}
