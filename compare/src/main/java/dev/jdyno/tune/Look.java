package dev.jdyno.tune;

import dev.jdyno.observe.logging.LoggingFiles.Configuration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What one start without load tells of a service.
///
/// @param startSeconds until its first good answer
/// @param takesFlags whether its launch command hands flags on to the JVM
/// @param java the command that runs its JVM; empty where it cannot be seen
/// @param logging its logging configurations of which a cheaper copy can be made
/// @param dearPatterns Spring Boot's log patterns that ask which line of code logged, by their
///   properties
record Look(
        double startSeconds,
        boolean takesFlags,
        Optional<String> java,
        List<Configuration> logging,
        Map<String, String> dearPatterns) {
    Look {
        logging = List.copyOf(logging);
        dearPatterns = Map.copyOf(dearPatterns);
    }
}
