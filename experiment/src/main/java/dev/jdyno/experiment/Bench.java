package dev.jdyno.experiment;

import dev.jdyno.capacity.CapacityAnalysis;
import dev.jdyno.capacity.CapacityAnswer;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.experiment.lab.LabService;
import dev.jdyno.experiment.server.ServerProcess;
import dev.jdyno.experiment.server.Watched;
import dev.jdyno.load.LoadPlan;
import dev.jdyno.load.LoadRun;
import dev.jdyno.load.pacing.Arrivals;
import dev.jdyno.load.pacing.RateProfile;
import dev.jdyno.load.request.LoadSpec;
import dev.jdyno.load.request.LoadSpecBuilder;
import dev.jdyno.load.statistics.LoadWindow;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.Recording;
import dev.jdyno.measure.Round;
import dev.jdyno.measure.SameCores;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.measure.verdict.Knee;
import dev.jdyno.plan.Plan;
import dev.jdyno.trial.Session;
import dev.jdyno.trial.Trial;
import dev.jdyno.trial.TrialListener;
import dev.jdyno.trial.TrialOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The tools of an experiment: it starts services of the lab and loads them.
///
/// @param folder folder for raw evidence
/// @param quick whether rounds and warm-ups take half as long
public record Bench(
        Lab lab,
        Path folder,
        TrialListener listener,
        NanoClock clock,
        BooleanSupplier stop,
        boolean quick) {
    public Bench(
            Lab lab, Path folder, TrialListener listener, NanoClock clock, BooleanSupplier stop) {
        this(lab, folder, listener, clock, stop, false);
    }

    private static final Plan.Evidence NONE = new Plan.Evidence(Duration.ZERO, 0);

    /// A load curve and its capacity analysis.
    record Searched(Recording recording, CapacityAnswer capacity) {
        /// @throws UserError if throughput never flattened
        Knee knee() {
            return capacity.knee()
                    .orElseThrow(() ->
                            UserError.target(
                                    "no knee was found",
                                    capacity.notes().toString(),
                                    "run it again on a quieter machine"));
        }

        /// Concurrency at which the CPU would be saturated (knee formula, F1), predicted from
        /// rounds below the knee.
        Optional<Double> predictedKnee() {
            return capacity.knee().flatMap(Knee::predicted).map(Knee.Predicted::concurrency);
        }
    }

    /// Searches for the knee of one page.
    Searched search(String name, LabService service, String page) throws InterruptedException {
        Plan plan =
                plan(name, service, page)
                        .withRounds(
                                new Plan.Rounds(
                                        lasting(Duration.ofSeconds(4)),
                                        Duration.ofSeconds(1),
                                        List.of(),
                                        512));
        Recording recording = run(plan);
        return new Searched(recording, CapacityAnalysis.of(SameCores.of(recording)));
    }

    /// Measures one page at given loads.
    List<Round> at(String name, LabService service, String page, Duration length, int... loads)
            throws InterruptedException {
        var rounds =
                new Plan.Rounds(
                        lasting(length),
                        Duration.ofSeconds(1),
                        java.util.Arrays.stream(loads).boxed().toList(),
                        Integer.MAX_VALUE);
        return run(plan(name, service, page).withRounds(rounds)).rounds();
    }

    /// Measures one page at one load after a short warm-up at the same load, for services whose
    /// state a heavier warm-up would change.
    Round steady(String name, LabService service, String page, Duration length, int load)
            throws InterruptedException {
        var rounds =
                new Plan.Rounds(
                        lasting(length), Duration.ofSeconds(1), List.of(load), Integer.MAX_VALUE);
        return run(plan(name, service, page)
                        .withWarmup(
                                new Plan.Warmup(Duration.ofSeconds(1), Duration.ofSeconds(2), load))
                        .withRounds(rounds))
                .rounds()
                .getFirst();
    }

    /// Loads a URL in the closed model, without observing the service's JVM.
    LoadWindow load(LoadSpec spec, int connections, Duration length) {
        return load(spec, connections, Optional.empty(), length, (_, _) -> {});
    }

    /// Loads a warm service in the closed model, without warm-up.
    ///
    /// @param think pause between a reply and the same user's next request
    LoadWindow loadWarm(LoadSpec spec, int connections, Duration think, Duration length) {
        listener.phase("── " + connections + " users: " + spec.url());
        return run(
                new LoadPlan(
                        spec,
                        connections,
                        think,
                        Optional.empty(),
                        Arrivals.CONSTANT,
                        lasting(length),
                        Duration.ZERO),
                (_, _) -> {});
    }

    /// Loads a URL in the open model.
    LoadWindow loadAt(LoadSpec spec, int connections, double ratePerS, Duration length) {
        return loadAt(spec, connections, ratePerS, length, (_, _) -> {});
    }

    /// Loads a URL in the open model and calls a listener at the end of each second, while its
    /// connections are still open.
    LoadWindow loadAt(
            LoadSpec spec,
            int connections,
            double ratePerS,
            Duration length,
            LoadRun.Listener seconds) {
        var rate = new RateProfile(List.of(ratePerS), false);
        return load(spec, connections, Optional.of(rate), length, seconds);
    }

    /// Loads a URL in the closed model until a number of requests have ended.
    LoadWindow count(LoadSpecBuilder spec, int connections, long requests) {
        return load(
                spec.mostRequests(requests).build(),
                connections,
                Optional.empty(),
                Duration.ofSeconds(60),
                (_, _) -> {});
    }

    private LoadWindow load(
            LoadSpec spec,
            int connections,
            Optional<RateProfile> rate,
            Duration length,
            LoadRun.Listener seconds) {
        listener.phase(
                "── "
                        + connections
                        + " connections"
                        + rate.map(r -> ", " + r.highest() + "/s").orElse("")
                        + ": "
                        + spec.url());
        var loadPlan =
                new LoadPlan(
                        spec,
                        connections,
                        Duration.ZERO,
                        rate,
                        Arrivals.CONSTANT,
                        spec.mostRequests().isPresent() ? length : lasting(length),
                        spec.mostRequests().isPresent() ? Duration.ZERO : Duration.ofSeconds(2));
        return run(loadPlan, seconds);
    }

    private LoadWindow run(LoadPlan loadPlan, LoadRun.Listener seconds) {
        LoadWindow total =
                new LoadRun(loadPlan.fromEnoughAddresses(), clock, stop, seconds).run().total();
        refuseInterrupted();
        return total;
    }

    private Duration lasting(Duration length) {
        return quick ? length.dividedBy(2) : length;
    }

    private Plan plan(String name, LabService service, String page) {
        return Plan.of(name, service.url(page), new Plan.TargetPlan.Attach(service.pid()))
                .withWarmup(
                        new Plan.Warmup(
                                lasting(Duration.ofSeconds(3)), lasting(Duration.ofSeconds(15)), 8))
                .withEvidence(NONE);
    }

    private Recording run(Plan plan) throws InterruptedException {
        listener.phase("── " + plan.name() + ": " + plan.url());
        TrialOutcome outcome = new Trial(plan, new Session(folder, listener, clock, stop)).run();
        if (outcome.failure().isPresent()) {
            throw outcome.failure().get();
        }
        refuseInterrupted();
        return outcome.recording();
    }

    /// Runs a main class of the lab that prints and ends.
    ///
    /// @return the lines of its standard output
    /// @throws UserError if it fails, takes longer than `max`, or the run is stopped
    public List<String> print(String mainClass, List<String> arguments, Duration max)
            throws InterruptedException {
        List<String> command = lab.words(mainClass, List.of(), arguments);
        try {
            Process process =
                    ServerProcess.sample(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try (var _ = new Watched(process, stop, max)) {
                List<String> lines = process.inputReader(StandardCharsets.UTF_8).lines().toList();
                int code = process.waitFor();
                refuseInterrupted();
                if (code != 0) {
                    throw UserError.target(
                            "the lab's " + mainClass + " failed",
                            "it ended with exit code " + code,
                            "run it by hand: " + String.join(" ", command));
                }
                return lines;
            }
        } catch (IOException e) {
            throw UserError.target(
                            "cannot run the lab's " + mainClass,
                            String.valueOf(e.getMessage()),
                            "check that " + command.getFirst() + " runs")
                    .causedBy(e);
        }
    }

    /// @throws UserError if the run is stopped
    void refuseInterrupted() {
        if (stop.getAsBoolean()) {
            throw UserError.target(
                    "interrupted", "the experiment was stopped before its end", "run it again");
        }
    }
}
