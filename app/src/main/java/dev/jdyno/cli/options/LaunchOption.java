package dev.jdyno.cli.options;

import dev.jdyno.plan.Plan;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `--launch`: the command that starts the service.
public final class LaunchOption {
    @Option(
            names = "--launch",
            paramLabel = "COMMAND",
            description =
                    "Start this command, watch its JVM, end it afterwards; {port} in it and in the"
                            + " URL is a free port.")
    private @Nullable String command;

    public Optional<String> command() {
        return Optional.ofNullable(command);
    }

    /// Whether the command takes its port.
    public boolean hasPort() {
        return command != null && command.contains(Plan.PORT);
    }

    /// The service that is started; none where no command is given.
    public Plan.TargetPlan target() {
        return command == null
                ? new Plan.TargetPlan.None()
                : new Plan.TargetPlan.Launch(command);
    }
}
