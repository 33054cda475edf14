package dev.jdyno.trial;

import dev.jdyno.measure.Round;
import dev.jdyno.measure.TargetFacts;
import dev.jdyno.measure.verdict.Validity.Warning;
import dev.jdyno.observe.logging.LoggingFiles;
import dev.jdyno.plan.Plan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One variant of a service in a comparison: started, warm, and loaded only when its turn comes.
/// Meanwhile the other variant, which may run beside it, gets no request.
public interface Side extends AutoCloseable {
    /// What a service gives at most and by itself.
    ///
    /// @param qps the most throughput
    /// @param aloneMs mean response time of a request by itself
    record Capacity(double qps, double aloneMs) {
        /// Where the asymptotes of the throughput curve cross, in requests in flight.
        public double knee() {
            return qps * aloneMs / 1000;
        }
    }

    /// Empty where no JVM is watched.
    Optional<TargetFacts> facts() throws InterruptedException;

    /// The command that runs its JVM; empty where no JVM is watched.
    Optional<Path> java();

    /// Archives of classes (CDS, AOT cache) that its flags name and that its JVM has not mapped.
    default List<Path> unmappedArchives() throws InterruptedException {
        return List.of();
    }

    /// Its logging configurations that could be read.
    List<LoggingFiles.Configuration> logging() throws InterruptedException;

    /// Spring Boot's log patterns that ask which line of code logged, by their properties.
    Map<String, String> dearLogPatterns() throws InterruptedException;

    /// @return that it was not steady when the time was over
    Optional<Warning> warmUp(Plan.Warmup warmup) throws InterruptedException;

    /// Doubles the load until throughput grows no more.
    Capacity capacity() throws InterruptedException;

    /// A block with so many requests in flight; empty when it was stopped.
    Optional<Round> saturated(int concurrency, double seconds) throws InterruptedException;

    /// A block of an open model; latencies count from the intended start. Empty when it was
    /// stopped.
    Optional<Round> atRate(double ratePerS, int connections, double seconds)
            throws InterruptedException;

    /// Ends what was started.
    @Override
    void close();
}
