package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.load.DriverFacts;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.logging.LoggingFiles;
import dev.jdyno.plan.Plan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One variant of a service in a comparison: started, warm, and loaded only when its turn comes. In
/// the meantime the other variant, which may run too, gets no request.
public interface Side extends AutoCloseable {
    /// The limits of a service: its highest throughput, and its response time to a single request.
    ///
    /// @param qps maximum throughput
    /// @param aloneMs mean response time with one request in flight
    record Capacity(double qps, double aloneMs) {
        /// The knee: the number of requests in flight at which the asymptotes of the throughput
        /// curve cross.
        public double knee() {
            return qps * aloneMs / 1000;
        }
    }

    /// Facts of the target; empty if no JVM is watched.
    Optional<TargetFacts> facts() throws InterruptedException;

    /// The command that runs its JVM; empty if no JVM is watched.
    Optional<Path> java();

    /// Archives of classes (CDS, AOT cache) that its flags name but its JVM has not mapped.
    default List<Path> unmappedArchives() throws InterruptedException {
        return List.of();
    }

    /// The load tool of the user that sends its load; empty if jdyno sends it.
    default Optional<DriverFacts> driver() {
        return Optional.empty();
    }

    /// The logging configurations of the service that could be read.
    List<LoggingFiles.Configuration> logging() throws InterruptedException;

    /// Spring Boot's log patterns that print the line of code that logged, by their properties.
    Map<String, String> costlyLogPatterns() throws InterruptedException;

    /// @return a warning if the service was not steady when the time was over
    Optional<Warning> warmUp(Plan.Warmup warmup) throws InterruptedException;

    /// Doubles the load until throughput stops growing.
    Capacity capacity() throws InterruptedException;

    /// Runs a block with this concurrency; empty if it was stopped.
    Optional<Round> saturated(int concurrency, double seconds) throws InterruptedException;

    /// Runs a block of an open model, whose latencies count from the intended start; empty if it
    /// was stopped.
    Optional<Round> atRate(double ratePerS, int connections, double seconds)
            throws InterruptedException;

    /// Ends what was started.
    @Override
    void close();
}
