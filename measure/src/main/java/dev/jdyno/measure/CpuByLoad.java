package dev.jdyno.measure;

import dev.jdyno.measure.statistics.Interval;
import dev.jdyno.measure.thread.Cause;
import java.util.List;
import java.util.Optional;

/// CPU time per request at two loads, from their response-time breakdowns. The two times differ by
/// more than their errors.
///
/// @param low the lower load
/// @param lowMs CPU time per request at that load
/// @param hereMs CPU time per request at the load of the report
/// @param isFirst true if the lower load was measured first. The JVM had compiled the least code at
///   that time.
public record CpuByLoad(Round low, double lowMs, double hereMs, boolean isFirst) {
    /// Compares two loads; empty if one of them has no breakdown, or if they agree.
    ///
    /// @param low a round below the load of the report
    /// @param here the round at the load of the report
    /// @param measured all rounds, in the order in which they were measured
    public static Optional<CpuByLoad> of(Round low, Round here, List<Round> measured) {
        double lowMs = ms(low);
        double hereMs = ms(here);
        double error = Math.hypot(error(low, lowMs), error(here, hereMs));
        return lowMs <= 0 || hereMs <= 0 || Math.abs(lowMs - hereMs) <= Interval.NORMAL_95 * error
                ? Optional.empty()
                : Optional.of(
                        new CpuByLoad(
                                low,
                                lowMs,
                                hereMs,
                                measured.stream()
                                        .findFirst()
                                        .filter(r -> r.concurrency() == low.concurrency())
                                        .isPresent()));
    }

    private static double ms(Round round) {
        return round.qps() <= 0 ? 0 : round.anatomy().map(a -> a.ms(Cause.CPU)).orElse(0.0);
    }

    /// Returns the standard error of the CPU time, in ms. The error of throughput is small compared
    /// with it.
    private static double error(Round round, double ms) {
        return round.qps() <= 0
                ? 0
                : Math.hypot(
                        RequestCpu.WINDOW_ERROR * ms, RequestCpu.CLOCK_ERROR / round.qps() * 1000);
    }

    /// True if a request takes less CPU time at the load of the report.
    public boolean isLess() {
        return hereMs < lowMs;
    }
}
