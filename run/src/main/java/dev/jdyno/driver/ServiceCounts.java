package dev.jdyno.driver;

import java.util.List;
import java.util.Optional;

/// Requests that the service itself counts. They are used if no reader knows the form of a driver's
/// output.
public interface ServiceCounts extends AutoCloseable {
    /// Reads the counters at the beginning of a window.
    void begin();

    /// Reads them again and returns the difference; empty if a reading failed, or no counter has
    /// requests.
    Optional<Served> end();

    /// Time of the last reading, in seconds.
    double readingSeconds();

    /// Reasons of failed readings.
    List<String> failures();

    @Override
    void close();

    /// The requests of one window.
    ///
    /// @param source key of the counter: `metrics`, `tomcat` or `jetty`
    /// @param seconds time between the two readings
    /// @param requests good requests, and those whose status the counter does not have
    /// @param failed requests with a status of 400 and more
    /// @param meanMs mean time of a request inside the service; empty if it is not counted
    /// @param missing names of the figures that the counter does not have
    record Served(
            String source,
            double seconds,
            long requests,
            long failed,
            Optional<Double> meanMs,
            List<String> missing) {
        public Served {
            missing = List.copyOf(missing);
        }
    }
}
