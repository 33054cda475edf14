package dev.jdyno.warm;

import dev.jdyno.plan.Plan;
import dev.jdyno.trial.ColdStart;
import dev.jdyno.trial.ColdStart.Curve;
import java.nio.file.Path;
import java.util.Optional;

/// How a study starts a service.
interface Starting {
    /// @return empty where it was stopped before the traffic had ended
    /// @throws dev.jdyno.measure.text.UserError when it does not start, or gives no good answer
    Optional<Curve> measure(Plan plan, ColdStart.Traffic traffic, boolean restAfter, Path folder)
            throws InterruptedException;

    /// Runs it so that its JVM writes an archive when it ends.
    ///
    /// @throws dev.jdyno.measure.text.UserError when it does not start, or does not end in time
    void train(Plan plan, int inFlight, double seconds, Path folder) throws InterruptedException;

    /// Real processes.
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
