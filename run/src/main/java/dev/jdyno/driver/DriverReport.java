package dev.jdyno.driver;

import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// What a driver reports of one run, or of the part of it that was asked for.
///
/// @param source names its form: `wrk`, `ab`, `jtl`, …
/// @param seconds that its requests took by its own clock
/// @param requests good ones
/// @param errorKinds all others, by kind
/// @param bytes heads and bodies of replies; empty where it does not count them, or where its users
///   may pause, so that their number is none of requests in flight
/// @param latency its summary, in ms, NaN for what it does not print; empty where it gives each
///   request
/// @param latencyNanos of each good request; empty where it gives a summary
/// @param missing what it cannot give, by name
/// @param sent empty where it gives a summary, which is of the whole run
record DriverReport(
        String source,
        double seconds,
        long requests,
        Map<String, Long> errorKinds,
        Optional<Long> bytes,
        Optional<Latency> latency,
        Optional<Histogram> latencyNanos,
        List<String> missing,
        Optional<Sent> sent) {

    /// All of the run, in and outside of the window.
    ///
    /// @param requests good or not
    /// @param firstMs when the first one ended, in ms since 1970
    record Sent(long requests, double firstMs) {}

    /// A summary of the whole run.
    DriverReport(
            String source,
            double seconds,
            long requests,
            Map<String, Long> errorKinds,
            Optional<Long> bytes,
            Latency latency,
            List<String> missing) {
        this(
                source,
                seconds,
                requests,
                errorKinds,
                bytes,
                Optional.of(latency),
                Optional.empty(),
                missing,
                Optional.empty());
    }

    DriverReport {
        errorKinds = Map.copyOf(errorKinds);
        missing = List.copyOf(missing);
    }

    long errors() {
        return errorKinds.values().stream().mapToLong(n -> n).sum();
    }

    /// Requests of the whole run.
    long sentInAll() {
        return sent.map(Sent::requests).orElse(requests + errors());
    }

    double perSecond() {
        return seconds <= 0 ? 0 : requests / seconds;
    }
}
