package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Knob.Values;
import dev.jdyno.plan.Plan;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A published experiment whose service can be tuned unattended. It provides what an operator would
/// provide, the launch command and the knobs, and nothing of the answer.
public interface Tunable extends Experiment {
    /// Starts what the service needs, and returns the plan with its launch command.
    Plan plan(Lab lab);

    /// Returns a plan with rounds of 4 s for a service that is started anew each time.
    ///
    /// @param page path and query
    /// @param loads requests in flight in the rounds, the highest last
    default Plan planFor(String command, String page, List<Integer> loads) {
        return Plan.of(
                        "lab-" + id() + "-tune",
                        URI.create("http://127.0.0.1:1" + page),
                        new Plan.TargetPlan.Launch(command))
                .withRounds(
                        new Plan.Rounds(
                                Duration.ofSeconds(4),
                                Plan.Rounds.DEFAULT.settle(),
                                loads,
                                loads.getLast()));
    }

    /// Returns a knob for a larger heap. Its first value leaves the heap as it is.
    static Knob heapKnob(String larger) {
        return new Knob(
                "heap", new Values.Listed(List.of("", larger)), new Knob.Place.Flag(Change.HOLE));
    }

    /// True if the heap must keep its size, as in the published case.
    default boolean keepsHeap() {
        return false;
    }

    /// Compares the result of tuning with the published one.
    Comparison judged(Found found);

    /// Compares the result of tuning with the published one. If requests per CPU second decided and
    /// not throughput, their gain is a row more, which is not judged.
    default Comparison result(Found found) {
        Comparison judged = judged(found);
        List<Comparison.Row> rows = new ArrayList<>(judged.rows());
        found.cpuGain()
                .ifPresent(gain ->
                        rows.add(
                                Comparison.here(
                                        "requests per CPU second, tuned ÷ as found (decided)",
                                        gain,
                                        "ratio")));
        return new Comparison(judged.id(), judged.title(), rows, judged.notes());
    }

    /// The result of tuning.
    ///
    /// @param gain throughput after ÷ before; empty if no change was made or confirmed
    /// @param ci95 of the gain
    /// @param cpuGain requests per CPU second, after ÷ before; empty if throughput decided
    record Found(
            List<Change.Launch> changes,
            Optional<Double> gain,
            Optional<Interval> ci95,
            Optional<Double> cpuGain) {
        public Found {
            changes = List.copyOf(changes);
        }

        /// True if one of the changes matches.
        boolean has(Predicate<Change> sort) {
            return changes.stream().anyMatch(sort);
        }
    }
}
