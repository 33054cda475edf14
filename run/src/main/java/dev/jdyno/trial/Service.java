package dev.jdyno.trial;

import dev.jdyno.plan.Plan;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What the engines that decide (compare, tune, guard) ask of the world: every measurement of
/// theirs comes through here. {@link LiveService} starts JVMs and sends load; a simulated one in
/// tests answers by formulas.
public interface Service {
    /// Runs the plan once.
    ///
    /// @throws dev.jdyno.measure.text.UserError when it fails before the warm-up; later failures
    ///   are in the outcome
    TrialOutcome trial(Plan plan, Session session) throws InterruptedException;

    /// Starts or attaches the plan's service and waits for its first good answer.
    ///
    /// @throws dev.jdyno.measure.text.UserError when it does not start, or gives no good answer
    Side open(Plan plan, Session session) throws InterruptedException;

    /// What a JVM prints when it refuses flags; empty where it takes them, or cannot be asked.
    ///
    /// @param java the command that runs the service's JVM
    Optional<String> refusal(Path java, List<String> flags) throws InterruptedException;

    /// How fast the machine is now: CPU time of one step of a loop that is the same every day, in
    /// ns.
    double machineStepNs();
}
