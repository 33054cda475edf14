package dev.jdyno.cli;

import dev.jdyno.inside.RunningJvms;
import dev.jdyno.plan.Plan;
import dev.jdyno.target.ProcFs;
import java.util.Optional;

/// What a service is called whose plan has no name.
final class ServiceName {
    private ServiceName() {}

    /// The name that its JVM or its launch command shows; empty where none is shown.
    static Optional<String> of(Plan.TargetPlan target) {
        return switch (target) {
            case Plan.TargetPlan.Attach(long jvm) -> of(jvm);
            case Plan.TargetPlan.Launch(String command) -> RunningJvms.serviceNameOf(command);
            case Plan.TargetPlan.Observed _, Plan.TargetPlan.None _ -> Optional.empty();
        };
    }

    /// The same of a JVM of this host.
    static Optional<String> of(long jvm) {
        return new RunningJvms(ProcFs.SYSTEM).of(jvm).serviceName();
    }
}
