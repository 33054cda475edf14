package dev.jdyno.plan;

import dev.jdyno.measure.load.HttpUrl;
import java.net.URI;
import java.util.Optional;

/// The place of a service's own metrics.
///
/// @param search true if jdyno searches for them on the target's own ports
/// @param at address of the metrics, if the user gives it
public record MetricsPlan(boolean search, Optional<URI> at) {
    /// No metrics are read.
    public static final MetricsPlan NONE = new MetricsPlan(false, Optional.empty());

    /// Metrics are searched for on the target's own ports.
    public static final MetricsPlan SEARCH = new MetricsPlan(true, Optional.empty());

    static final String FORM =
            "write the URL of the metrics, http://127.0.0.1:8080/actuator/prometheus, or false";

    /// Parses `http://…`, `true` to search for them, or `false`.
    static MetricsPlan parse(String text) {
        return switch (text) {
            case "true" -> SEARCH;
            case "false" -> NONE;
            default -> ofUrl(text);
        };
    }

    /// Returns the plan to read metrics at an address.
    ///
    /// @throws IllegalArgumentException if the text is not a URL, with the reason
    public static MetricsPlan ofUrl(String text) {
        return new MetricsPlan(false, Optional.of(HttpUrl.parse(text)));
    }
}
