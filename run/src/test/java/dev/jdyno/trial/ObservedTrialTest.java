package dev.jdyno.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jdyno.inside.remote.LinkPair;
import dev.jdyno.inside.remote.ObservingSession;
import dev.jdyno.inside.remote.Pace;
import dev.jdyno.inside.remote.RemoteInside;
import dev.jdyno.inside.remote.Wire;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.plan.InsidePlan;
import dev.jdyno.plan.MetricsPlan;
import dev.jdyno.plan.Plan;
import dev.jdyno.plan.Selector;
import dev.jdyno.trial.agent.ObservedHere;
import dev.jdyno.trial.recording.RecordingFile;
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

/// A trial whose target is observed by an agent. The link is slow, the agent has another clock, or
/// the link is interrupted during the run.
@Tag("full") // whole runs over a slow link
class ObservedTrialTest {
    private static final Wire WIRE = new Wire(RecordingFile.json());

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

    private Recording observed(LinkPair link, TrialListener listener) throws InterruptedException {
        var which = new Selector.Pid(service.pid());
        Plan plan =
                Plan.of(
                                "observed",
                                service.url(),
                                new Plan.TargetPlan.Observed("app1:4711", which, folder))
                        .withWarmup(
                                new Plan.Warmup(Duration.ofSeconds(2), Duration.ofSeconds(2), 2))
                        .withRounds(
                                new Plan.Rounds(
                                        Duration.ofSeconds(2),
                                        Duration.ofMillis(200),
                                        List.of(1, 2),
                                        2))
                        .withEvidence(new Plan.Evidence(Duration.ofSeconds(1), 4))
                        .withInside(
                                new InsidePlan(
                                        false,
                                        List.of(),
                                        Optional.empty(),
                                        false,
                                        MetricsPlan.NONE));
        try (var _ =
                ObservingSession.on(
                        link.agent(),
                        WIRE,
                        link.agentClock(),
                        new ObservedHere(link.agentClock(), List.of()),
                        new Pace(link.agentClock()))) {
            TrialOutcome outcome =
                    new Trial(plan, new Session(folder, listener, () -> false))
                            .away((target, clock) ->
                                    RemoteInside.open(
                                            target.agent(),
                                            link.coordinator(),
                                            WIRE,
                                            clock,
                                            "pid=" + service.pid()))
                            .run();
            assertThat(outcome.failure()).isEmpty();
            return outcome.recording();
        }
    }

    private static final TrialListener SILENT =
            new TrialListener() {
                @Override
                public void phase(String says) {}

                @Override
                public void progress(double seconds, Optional<Double> of, Optional<Double> qps) {}

                @Override
                public void round(Round round) {}

                @Override
                public void note(String says) {}
            };

    @Test
    void slowLinkToOtherClockLosesNoSample() throws InterruptedException {
        try (var link = new LinkPair(Duration.ofMillis(100), Duration.ofHours(1))) {
            Recording seen = observed(link, SILENT);

            assertThat(seen.target().pid()).contains(service.pid());
            assertThat(seen.target().means()).contains("jfr", "attach", "proc");
            assertThat(MeasuredLoads.of(seen.rounds())).containsExactly(1, 2);
            // these details exist only if the flight recording includes the round
            assertThat(seen.rounds())
                    .allMatch(r -> r.cpu().isPresent() && r.threads().isPresent())
                    .allMatch(r -> r.gc().flatMap(g -> g.detail()).isPresent())
                    .allMatch(r -> r.slices().stream().allMatch(s -> s.processCores().isPresent()));
            assertThat(seen.census()).isNotEmpty().allMatch(c -> c.dumps() > 0);
            assertThat(seen.warnings()).anyMatch(w -> w.id().equals("clock-offset"));
            assertThat(seen.warnings()).noneMatch(w -> w.id().equals("observer-lost"));
        }
    }

    @Test
    void lostLinkCostsEvidenceButNotTheRun() throws InterruptedException {
        try (var link = new LinkPair(Duration.ofMillis(1), Duration.ZERO)) {
            var cutting =
                    new TrialListener() {
                        @Override
                        public void phase(String says) {}

                        @Override
                        public void progress(
                                double seconds, Optional<Double> of, Optional<Double> qps) {}

                        @Override
                        public void round(Round round) {
                            link.cut();
                        }

                        @Override
                        public void note(String says) {}
                    };
            Recording seen = observed(link, cutting);

            assertThat(MeasuredLoads.of(seen.rounds())).containsExactly(1, 2);
            assertThat(seen.rounds().getFirst().cpu()).isPresent();
            assertThat(seen.rounds().getLast().cpu()).isEmpty();
            assertThat(seen.rounds().getLast().requests()).isPositive();
            assertThat(seen.warnings()).anyMatch(w -> w.id().equals("observer-lost"));
            assertThat(service.process().isAlive()).isTrue();
        }
    }
}
