package dev.jdyno.experiment;

import dev.jdyno.experiment.lab.Lab;
import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Knob;
import dev.jdyno.plan.Knob.Values;
import dev.jdyno.plan.Plan;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A published experiment whose service can be tuned unattended: it gives what an operator would,
/// the launch command and the knobs, and nothing of the answer.
public interface Tunable extends Experiment {
    /// Starts what the service needs and says how the service is started.
    Plan plan(Lab lab);

    /// A plan of rounds of 4 s for a service that is started anew each time.
    ///
    /// @param page path and query
    /// @param loads requests in flight of its rounds, the most last
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

    /// A larger heap, to be found by itself; without it the service has its own.
    static Knob heapKnob(String larger) {
        return new Knob(
                "heap", new Values.Listed(List.of("", larger)), new Knob.Place.Flag(Change.HOLE));
    }

    /// Whether the heap must stay as large as it is, as it had to for the published author.
    default boolean keepsHeap() {
        return false;
    }

    /// What tuning found beside what the published author found.
    Comparison judged(Found found);

    /// What tuning found.
    ///
    /// @param gain throughput after ÷ before; empty where nothing was changed or confirmed
    record Found(List<Change.Launch> changes, Optional<Double> gain, Optional<Interval> ci95) {
        public Found {
            changes = List.copyOf(changes);
        }

        /// Whether a change of that sort is among them.
        boolean has(Predicate<Change> sort) {
            return changes.stream().anyMatch(sort);
        }
    }
}
