package dev.jdyno.measure.thread;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where the time of one request goes, in ms: the mean number of the threads in use in a state
/// divided by QPS is ms per request (Little, F3).
///
/// @param perRequestMs every cause that took part; a missing cause is 0
/// @param topN the largest single places, largest first
/// @param unexplainedMs the client's mean RT less the sum: queueing before a thread, the network
/// @param errors of the parts that nothing measures by themselves; empty where they are unknown
public record Breakdown(
        Map<Cause, Double> perRequestMs,
        List<Spot> topN,
        double unexplainedMs,
        Optional<Errors> errors) {
    /// 95 % of a normal distribution lie within so many standard errors of its middle.
    private static final double WITHIN_95 = 1.96;

    /// Half the widths of 95 % intervals, in ms of one request.
    ///
    /// @param otherMs of the part {@link Cause#OTHER}
    /// @param unexplainedMs of the remainder: the errors of the response time and of all parts
    ///   together
    public record Errors(double otherMs, double unexplainedMs) {
        /// From standard errors.
        public static Errors ofStandardErrors(double otherMs, double unexplainedMs) {
            return new Errors(WITHIN_95 * otherMs, WITHIN_95 * unexplainedMs);
        }
    }

    /// A breakdown with unknown errors.
    public Breakdown(Map<Cause, Double> perRequestMs, List<Spot> topN, double unexplainedMs) {
        this(perRequestMs, topN, unexplainedMs, Optional.empty());
    }

    /// Parts are counted in a window beside the round: so much more than the response time is the
    /// error of that, as a share and in ms.
    private static final double PARTS_ERROR = 0.15;

    private static final double PARTS_ERROR_MS = 0.1;

    /// The most that the parts of a response time can be, for the error of their measurement.
    public static double mostMs(double rtMeanMs) {
        return rtMeanMs * (1 + PARTS_ERROR) + PARTS_ERROR_MS;
    }

    /// One place: a lock's class, a pool, a host:port, a method.
    public record Spot(Cause cause, Place place, double ms) {
        /// The place as text.
        public String where() {
            return place.text();
        }
    }

    public Breakdown {
        perRequestMs = Map.copyOf(perRequestMs);
        topN = List.copyOf(topN);
    }

    public double ms(Cause cause) {
        return perRequestMs.getOrDefault(cause, 0.0);
    }

    public double sumMs() {
        return perRequestMs.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
