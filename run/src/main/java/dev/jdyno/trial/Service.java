package dev.jdyno.trial;

import dev.jdyno.measure.text.Bytes;
import dev.jdyno.plan.Plan;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The interface through which compare, tune and guard make all of their measurements. {@link
/// LiveService} starts JVMs and sends load. In tests, a simulated service answers by formulas.
public interface Service {
    /// Runs the plan once.
    ///
    /// @throws dev.jdyno.measure.text.UserError when it fails before the warm-up; later failures
    ///   are in the outcome
    TrialOutcome trial(Plan plan, Session session) throws InterruptedException;

    /// Starts the plan's service, or attaches to it, and waits for its first good answer.
    ///
    /// @throws dev.jdyno.measure.text.UserError if it does not start, or gives no good answer
    Side open(Plan plan, Session session) throws InterruptedException;

    /// The output of a JVM that refuses flags; empty if it accepts them, or cannot be started.
    ///
    /// @param java the command that runs the service's JVM
    Optional<String> refusal(Path java, List<String> flags) throws InterruptedException;

    /// Speed of the machine now: CPU time of one step of a loop that is the same every day, in ns.
    double machineStepNs();

    /// Memory that further instances of the service can take now. Empty if it is unknown; then no
    /// more than two run at once.
    default Optional<Bytes> availableMemory() {
        return Optional.empty();
    }
}
