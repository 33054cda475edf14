package dev.jdyno.experiment;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.verdict.Change;
import dev.jdyno.plan.Plan;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A published experiment whose service can be tuned unattended: it gives what an operator would,
/// the launch command and the knobs, and nothing of the answer.
public interface Tunable extends Experiment {
    /// Starts what the service needs and says how the service is started.
    Plan plan(Lab lab);

    /// Whether the heap must stay as large as it is, as it had to for the published author.
    default boolean keepsHeap() {
        return false;
    }

    /// What tuning found beside what the published author found.
    Comparison judged(Found found);

    /// What tuning found.
    ///
    /// @param gain throughput after ÷ before; empty where nothing was changed or confirmed
    record Found(List<Change> changes, Optional<Double> gain, Optional<Interval> ci95) {
        public Found {
            changes = List.copyOf(changes);
        }

        /// Whether a change of that sort is among them.
        boolean has(Predicate<Change> sort) {
            return changes.stream().anyMatch(sort);
        }
    }
}
