package dev.jdyno.driver;

import dev.jdyno.measure.statistics.Latency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// A driver's report of one run, or of the requested part of it.
///
/// @param source name of its form: `wrk`, `ab`, `jtl`, …
/// @param seconds duration of the driver's load, by the driver's clock
/// @param requests good requests
/// @param errorKinds number of all other requests, by kind
/// @param bytes heads and bodies of replies; empty if it does not count them, or if its users may
///   pause, so that their number is not the number of requests in flight
/// @param latency the driver's summary of response times, in ms, NaN for values that it does not
///   print; empty if it lists each request
/// @param latencyNanos response time of each good request; empty if the driver gives a summary
/// @param missing names of the figures that it does not have
/// @param sent all requests of the run; empty if the driver gives a summary, which is of the whole
///   run
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

    /// All requests of the run, inside and outside of the window.
    ///
    /// @param requests good or not
    /// @param firstMs end of the first request, in ms since 1970
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

    /// Number of requests of the whole run.
    long sentInAll() {
        return sent.map(Sent::requests).orElse(requests + errors());
    }

    double perSecond() {
        return seconds <= 0 ? 0 : requests / seconds;
    }
}
