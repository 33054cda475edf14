package dev.jdyno.measure.verdict;

import java.util.Optional;

/// A setting that a recommendation changes, under the name by which the user sets it.
///
/// @param name a property, an attribute or a parameter, such as `server.tomcat.threads.max`
/// @param now the present value; empty if it is not known
/// @param to the recommended value
public record SettingValue(String name, Optional<String> now, Change.Amount to) {
    public SettingValue(String name, String now, String to) {
        this(name, Optional.of(now), new Change.Amount.Exactly(to));
    }
}
