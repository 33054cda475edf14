package dev.jdyno.plan;

import java.util.Optional;

/// Where `${NAME}` in a plan gets its value from: the environment variables of the process, which
/// only the command line may ask for.
@FunctionalInterface
public interface Environment {
    /// No variable is set.
    Environment NONE = _ -> Optional.empty();

    Optional<String> value(String name);
}
