package dev.jdyno.plan;

import java.util.Optional;

/// The source of values for `${NAME}` in a plan: the environment variables of the process. Only the
/// command line may read them.
@FunctionalInterface
public interface Environment {
    /// An environment without variables.
    Environment NONE = _ -> Optional.empty();

    Optional<String> value(String name);
}
