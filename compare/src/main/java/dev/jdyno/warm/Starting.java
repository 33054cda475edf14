package dev.jdyno.warm;

import dev.jdyno.plan.Plan;
import dev.jdyno.trial.ColdStart;
import dev.jdyno.trial.ColdStart.Curve;
import java.nio.file.Path;
import java.util.Optional;

/// Starts the service for a study.
interface Starting {
    /// @return empty if it was stopped before the traffic ended
    /// @throws dev.jdyno.measure.text.UserError if the service does not start, or gives no good
    ///   answer
    Optional<Curve> measure(Plan plan, ColdStart.Traffic traffic, boolean restAfter, Path folder)
            throws InterruptedException;

    /// Runs the service so that its JVM writes an archive at its end.
    ///
    /// @throws dev.jdyno.measure.text.UserError if the service does not start, or does not end in
    ///   time
    void train(Plan plan, int inFlight, double seconds, Path folder) throws InterruptedException;

    /// Starts real processes.
    static Starting of(ColdStart start) {
        return new Starting() {
            @Override
            public Optional<Curve> measure(
                    Plan plan, ColdStart.Traffic traffic, boolean restAfter, Path folder)
                    throws InterruptedException {
                return start.measure(plan, traffic, restAfter, folder);
            }

            @Override
            public void train(Plan plan, int inFlight, double seconds, Path folder)
                    throws InterruptedException {
                start.train(plan, inFlight, seconds, folder);
            }
        };
    }
}
