package dev.jdyno.trial;

import dev.jdyno.cluster.Credentials;
import dev.jdyno.inside.Inside;
import dev.jdyno.measure.NanoClock;
import dev.jdyno.measure.text.UserError;
import dev.jdyno.plan.Plan;
import java.util.Optional;

/// Opens the observation of a target on another host.
@FunctionalInterface
public interface InsideOpening {
    /// An opening that fails, for verbs that observe no other host.
    InsideOpening NONE =
            (_, _) -> {
                throw UserError.usage(
                        "this verb observes no target on another host",
                        "only run does so yet",
                        "use jdyno run with --observe, or run this verb on the target's host");
            };

    /// Opens the observation by an agent behind a port-forward of this host.
    ///
    /// @param run name of the run, which is shown at the agent
    static InsideOpening throughForward(String run, Credentials credentials) {
        return new ByAgent(run, Optional.of(credentials));
    }

    /// Begins to watch and to record a target. This goes on until the result is closed.
    ///
    /// @throws UserError if its agent cannot be reached, or refuses
    Inside open(Plan.TargetPlan.Observed target, NanoClock clock) throws InterruptedException;
}
