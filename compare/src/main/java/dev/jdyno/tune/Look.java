package dev.jdyno.tune;

import dev.jdyno.observe.logging.LoggingFiles.Configuration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Facts about a service from one start without load.
///
/// @param startSeconds time from the launch to the first good answer
/// @param takesFlags whether the launch command passes flags on to its JVM
/// @param java the command that runs the JVM; empty if it is unknown
/// @param logging its logging configurations that allow a cheaper copy, or that cannot be read
/// @param dearPatterns Spring Boot's log patterns that print the calling line of code, by property
/// @param availableBytes memory that further instances of the service could take then; empty if it
///   is unknown
record Look(
        double startSeconds,
        boolean takesFlags,
        Optional<String> java,
        List<Configuration> logging,
        Map<String, String> dearPatterns,
        Optional<Double> availableBytes) {
    Look {
        logging = List.copyOf(logging);
        dearPatterns = Map.copyOf(dearPatterns);
    }
}
