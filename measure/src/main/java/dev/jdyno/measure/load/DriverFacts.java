package dev.jdyno.measure.load;

import java.util.List;
import java.util.Optional;

/// The user's program that sent the load.
///
/// @param command as the user gave it, with its placeholders, secrets masked
/// @param source source of requests and response times: `wrk`, `ab`, `jtl`, …
/// @param missing names of the figures that the source does not provide
/// @param runSeconds duration of its last run, from its start to its end; empty before the first
///   run, and if a proxy counts, which needs no short runs
public record DriverFacts(
        String command, String source, List<String> missing, Optional<Double> runSeconds) {
    public DriverFacts {
        missing = List.copyOf(missing);
    }
}
