package dev.jdyno.cli;

import dev.jdyno.inside.RunningJvms;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.ProcFs;
import java.util.Optional;

/// The name of a service whose plan has no name.
final class ServiceName {
    private ServiceName() {}

    /// The name from the service's JVM or launch command; empty if neither shows one.
    static Optional<String> of(Plan.TargetPlan target) {
        return switch (target) {
            case Plan.TargetPlan.Attach(long jvm) -> of(jvm);
            case Plan.TargetPlan.Launch(String command) -> RunningJvms.serviceNameOf(command);
            case Plan.TargetPlan.Observed _, Plan.TargetPlan.None _ -> Optional.empty();
        };
    }

    /// The name of a JVM of this host; empty if it shows none.
    static Optional<String> of(long jvm) {
        return new RunningJvms(ProcFs.SYSTEM).of(jvm).serviceName();
    }
}
