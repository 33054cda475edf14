package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.Target;
import dev.jdyno.target.Victims;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A real JVM that keeps a part of each request and ends with `OutOfMemoryError` under load.
@Tag("full") // whole runs until a heap is full
class FullHeapTest {
    @TempDir private Path folder;

    private TrialOutcome loaded(long pid) throws IOException, InterruptedException {
        Plan plan =
                Plan.of(
                                "leaks",
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

    @ParameterizedTest
    @CsvSource({
        "-XX:+UseSerialGC,-XX:+UsePerfData",
        "-XX:+UseG1GC,-XX:+UsePerfData",
        // without perf data, only its GC log shows the full heap
        "-XX:+UseParallelGC,-XX:-UsePerfData",
    })
    void reportsFullHeap(String collector, String counters) throws Exception {
        try (Target target =
                Victims.launch(
                        Victims.jdks().getFirst(),
                        folder,
                        "leaks",
                        "-Xmx48m",
                        "-XX:+ExitOnOutOfMemoryError",
                        collector,
                        counters)) {
            TrialOutcome outcome = loaded(target.pid());

            UserError failure = outcome.failure().orElseThrow();
            assertThat(target.isAlive()).isFalse();
            assertThat(failure.kind()).isEqualTo(UserError.Kind.TARGET);
            assertThat(failure.what()).contains("heap was full");
            assertThat(failure.why()).contains("full collections", "heap of 48.0 MiB");
            assertThat(failure.fix()).contains("-Xmx").doesNotContain("Jfr");
            assertThat(outcome.recording().warnings())
                    .anyMatch(
                            w -> w.id().equals("cut-short") && w.says().contains("heap was full"));
            assertThat(outcome.recording().partial()).isTrue();
        }
    }

    @Test
    void exitForAnotherReasonIsNotReportedAsFullHeap() throws Exception {
        try (Target target =
                Victims.launch(
                        Victims.jdks().getFirst(), folder, "leaks", "-Xmx2g", "-XX:+UseSerialGC")) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            // the recording files show that the load has started
                            while (!Files.exists(folder.resolve("out/latency.hlog"))) {
                                Thread.onSpinWait();
                            }
                            // sleeps: duration of the load before an end without a full heap
                            Thread.sleep(3000);
                        } catch (InterruptedException hurry) {
                            Thread.currentThread().interrupt();
                        }
                        Victims.kill(target);
                    });

            UserError failure = loaded(target.pid()).failure().orElseThrow();

            assertThat(failure.what()).contains("ended").doesNotContain("heap");
        }
    }
}
