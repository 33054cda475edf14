package dev.jdyno.measure.load;

import java.util.List;

/// The user's program that sent the load.
///
/// @param command as the user gave it, with its placeholders, secrets masked
/// @param source source of requests and response times: `wrk`, `ab`, `jtl`, …
/// @param missing names of the figures that the source does not provide
public record DriverFacts(String command, String source, List<String> missing) {
    public DriverFacts {
        missing = List.copyOf(missing);
    }
}
