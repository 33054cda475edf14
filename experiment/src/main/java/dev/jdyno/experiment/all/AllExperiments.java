package dev.jdyno.experiment.all;

import dev.jdyno.experiment.Bench;
import dev.jdyno.experiment.Comparison;
import dev.jdyno.experiment.Experiment;
import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.trial.TrialListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Runs experiments one after another, each with its own lab and a time limit. Each result is
/// written at once, so an interrupted run continues with the remaining experiments. An experiment
/// that could not be run is tried again.
///
/// @param labs gives a new lab for each experiment
/// @param folder folder for results and raw evidence
public record AllExperiments(
        List<Experiment> experiments,
        Supplier<Lab> labs,
        Path folder,
        TrialListener listener,
        NanoClock clock,
        BooleanSupplier stop,
        Extent extent) {
    /// The extent of a run.
    ///
    /// @param only ids of the experiments to run
    /// @param budget time after which no other experiment begins; empty for no limit
    /// @param quick whether rounds and warm-ups take half as long
    public record Extent(Set<String> only, Optional<Duration> budget, boolean quick) {
        public Extent {
            only = Set.copyOf(only);
        }
    }

    /// Estimated duration in seconds, from the lengths of the rounds. The duration of a search for
    /// a knee is a guess.
    private static final Map<String, Integer> SECONDS =
            Map.ofEntries(
                    Map.entry("E1", 350),
                    Map.entry("E2", 60),
                    Map.entry("E3", 200),
                    Map.entry("E4", 10),
                    Map.entry("E5", 260),
                    Map.entry("E6", 40),
                    Map.entry("E7", 50),
                    Map.entry("E8", 110),
                    Map.entry("E9", 50),
                    Map.entry("E10", 150),
                    Map.entry("E11", 200),
                    Map.entry("E12", 240),
                    Map.entry("E13", 240),
                    Map.entry("E14", 130),
                    Map.entry("E15", 90),
                    Map.entry("E16", 35),
                    Map.entry("E17", 20),
                    Map.entry("E18", 60),
                    Map.entry("E19", 90),
                    Map.entry("E20", 120),
                    Map.entry("E21", 120),
                    Map.entry("E22", 35),
                    Map.entry("E23", 45),
                    Map.entry("E24", 15),
                    Map.entry("E25", 20),
                    Map.entry("E26", 25));

    private static final int UNKNOWN_SECONDS = 120;

    /// Multiple of the estimated duration after which an experiment is stopped.
    private static final int PATIENCE = 4;

    public AllExperiments {
        experiments = List.copyOf(experiments);
    }

    /// Returns the ids of the experiments that remain.
    ///
    /// @throws UserError if a result cannot be read
    public List<String> left() {
        return experiments.stream()
                .map(Experiment::id)
                .filter(id -> extent.only().contains(id) && !isDone(id))
                .toList();
    }

    private boolean isDone(String id) {
        return Done.in(folder, id).flatMap(Done::comparison).isPresent();
    }

    /// Estimated duration of the remaining experiments.
    public Duration estimate() {
        List<String> left = left();
        return experiments.stream()
                .filter(e -> left.contains(e.id()))
                .map(this::estimate)
                .reduce(Duration.ZERO, Duration::plus);
    }

    private Duration estimate(Experiment e) {
        Duration whole = Duration.ofSeconds(SECONDS.getOrDefault(e.id(), UNKNOWN_SECONDS));
        return isShortened(e) ? whole.multipliedBy(6).dividedBy(10) : whole;
    }

    /// Runs the remaining experiments.
    ///
    /// @return all results in the folder, in catalogue order. Some are missing if only some
    ///   experiments were selected, the budget was spent, or the run was interrupted
    /// @throws UserError if a result cannot be written or read
    public List<Done> run() throws InterruptedException {
        long start = clock.nanos();
        for (Experiment e : experiments) {
            boolean spent =
                    extent.budget().filter(b -> clock.nanos() - start >= b.toNanos()).isPresent();
            if (spent || stop.getAsBoolean()) {
                break;
            }
            if (extent.only().contains(e.id()) && !isDone(e.id())) {
                one(e);
            }
        }
        return experiments.stream().flatMap(e -> Done.in(folder, e.id()).stream()).toList();
    }

    private boolean isShortened(Experiment e) {
        return extent.quick() && e.isTimed();
    }

    /// Runs one experiment and writes its result, unless it was interrupted.
    private void one(Experiment e) throws InterruptedException {
        listener.phase("════ " + e.id() + ": " + e.title());
        if (extent.quick() && !e.isTimed()) {
            listener.note("--quick does not shorten " + e.id() + ": it counts");
        }
        long start = clock.nanos();
        Duration max = estimate(e).multipliedBy(PATIENCE);
        BooleanSupplier over = () -> clock.nanos() - start > max.toNanos();
        Optional<Comparison> comparison = Optional.empty();
        Optional<String> failure = Optional.empty();
        try (Lab lab = labs.get()) {
            var bench =
                    new Bench(
                            lab,
                            folder,
                            listener,
                            clock,
                            () -> stop.getAsBoolean() || over.getAsBoolean(),
                            isShortened(e));
            comparison = Optional.of(e.run(bench));
        } catch (UserError failed) {
            failure = Optional.of(failed.what() + ": " + failed.why());
        }
        if (over.getAsBoolean()) {
            // the time limit ended the experiment early, so its partial comparison does not count
            comparison = Optional.empty();
            failure = Optional.of("stopped after " + max.toSeconds() + " s");
        }
        if (!stop.getAsBoolean()) {
            double seconds = (clock.nanos() - start) / 1e9;
            new Done(e.id(), e.title(), comparison, failure, seconds, isShortened(e))
                    .keepIn(folder);
        }
    }
}
