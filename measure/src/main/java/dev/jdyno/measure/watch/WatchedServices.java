package dev.jdyno.measure.watch;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/// The services that have day files.
///
/// @param folder of the day files
/// @param services in alphabetical order
/// @param trouble why the folder cannot be read; empty if it can be read, or does not exist
public record WatchedServices(String folder, List<Service> services, Optional<String> trouble) {
    public WatchedServices {
        services = List.copyOf(services);
    }

    /// @param days days (UTC) that have a file, at least one, the newest first
    public record Service(String name, List<LocalDate> days) {
        public Service {
            days = List.copyOf(days);
        }
    }
}
